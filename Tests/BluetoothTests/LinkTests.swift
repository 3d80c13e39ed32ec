import Bluetooth
import Domain
import Synchronization
import TestSupport
import Testing

@Suite("An open link", .timeLimit(.minutes(1)))
struct LinkTests {
  /// A bench with the link open.
  private func withLink(_ body: (Bench, any Link) async throws -> Void) async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      let link = try await bench.connect()
      try await body(bench, link)
      await link.disconnect()
    }
  }

  private func notify(_ bench: Bench, _ text: String) async throws {
    try await bench.bluez.set(
      Air.path(of: Air.status), ScriptedBlueZ.characteristicInterface,
      ["Value": .bytes(Array(text.utf8))])
  }

  @Test("reads, and writes with response exactly the bytes given")
  func readsAndWrites() async throws {
    try await withLink { bench, link in
      try await notify(bench, "WiFi: Déconnecté")
      let read = try await link.read(Air.status)
      #expect(read == Array("WiFi: Déconnecté".utf8))
      let bytes = (0..<512).map { UInt8(truncatingIfNeeded: $0) }
      try await link.write(bytes, to: Air.ssid.uppercased())
      let call = try #require(await bench.bluez.calls.last { $0.member == "WriteValue" })
      #expect(call.path == Air.path(of: Air.ssid))
      #expect(call.body == [.bytes(bytes), .properties(["type": .string("request")])])
    }
  }

  /// B06: "check size before the first byte is sent; … a refusal names the field. Works when the `MTU`
  /// property is absent (older BlueZ)."
  @Test("B06: refuses a value no attribute can hold before anything is sent")
  func tooLong() async throws {
    try await withLink { bench, link in
      let fault = await #expect(throws: Fault.self) {
        try await link.write(Array(repeating: 0, count: 513), to: Air.ssid)
      }
      #expect(fault?.code == .writeRefused)
      #expect(fault?.detail.contains(Air.ssid) == true)
      #expect(await bench.bluez.count("WriteValue") == 0)
    }
  }

  @Test(
    "gives each refusal its code",
    arguments: [
      ("ReadValue", "org.bluez.Error.Failed", Code.readFailed),
      ("ReadValue", "org.bluez.Error.NotPermitted", .readFailed),
      ("ReadValue", "org.bluez.Error.NotConnected", .linkLost),
      ("WriteValue", "org.bluez.Error.NotPermitted", .writeRefused),
      ("WriteValue", "org.bluez.Error.NotAuthorized", .writeRefused),
      ("WriteValue", "org.bluez.Error.InvalidValueLength", .writeRefused),
      ("WriteValue", "org.freedesktop.DBus.Error.AccessDenied", .bluetoothDenied),
      ("StartNotify", "org.bluez.Error.NotSupported", .subscriptionFailed),
      ("StartNotify", "org.bluez.Error.Failed", .subscriptionFailed),
    ])
  func refusals(member: String, error: String, code: Code) async throws {
    try await withLink { bench, link in
      await bench.bluez.on(member) { bluez, call in
        try await bluez.refuse(call, error, "the daemon's words")
      }
      let fault = await #expect(throws: Fault.self) {
        switch member {
        case "ReadValue": _ = try await link.read(Air.status)
        case "WriteValue": try await link.write([1], to: Air.ssid)
        default: _ = try await link.notifications(of: Air.status)
        }
      }
      #expect(fault?.code == code)
      #expect(fault?.detail == "the daemon's words")
    }
  }

  @Test("knows no characteristic that is not there")
  func missing() async throws {
    try await withLink { _, link in
      let fault = await #expect(throws: Fault.self) { try await link.read("ffff") }
      #expect(fault?.code == .characteristicMissing)
    }
  }

  @Test("gives an operation up after its deadline, and carries on")
  func deadline() async throws {
    try await withLink { bench, link in
      await bench.bluez.on("ReadValue") { _, _ in }
      let reading = Task { try await link.read(Air.status) }
      await bench.bluez.called("ReadValue")
      await bench.clock.sleeper(dueIn: .seconds(5))
      bench.clock.advance(by: .seconds(5))
      let fault = await #expect(throws: Fault.self) { try await reading.value }
      #expect(fault?.code == .operationTimeout)
      try await link.write([1], to: Air.ssid)
    }
  }

  @Test("carries out one operation at a time, in the order they were asked for")
  func oneAtATime() async throws {
    try await withLink { bench, link in
      await bench.bluez.on("ReadValue") { _, _ in }
      let reading = Task { try await link.read(Air.status) }
      await bench.bluez.called("ReadValue")
      let writing = Task { try await link.write([1], to: Air.ssid) }
      let call = try #require(await bench.bluez.calls.last { $0.member == "ReadValue" })
      #expect(await bench.bluez.count("WriteValue") == 0)
      try await bench.bluez.answer(call, [.bytes([7])])
      #expect(try await reading.value == [7])
      try await writing.value
      #expect(await bench.bluez.count("WriteValue") == 1)
    }
  }

  /// B04: "look characteristics up by UUID on every connection, never by a remembered path."
  @Test("B04: follows a characteristic to its new path")
  func renumbered() async throws {
    try await withLink { bench, link in
      let path = "\(Air.device)/service0002/char0042"
      try await bench.bluez.remove(Air.path(of: Air.status))
      // A round trip, so that the removal has been seen: now there is none.
      try await link.write([1], to: Air.ssid)
      let reading = Task { try await link.read(Air.status) }
      await bench.clock.sleeper(dueIn: .seconds(5))
      try await bench.bluez.add(
        path, ScriptedBlueZ.characteristicInterface,
        ["UUID": .string(Air.status), "Value": .bytes([4, 2])])
      #expect(try await reading.value == [4, 2])
      #expect(await bench.bluez.calls.last { $0.member == "ReadValue" }?.path == path)
    }
  }

  @Test("B04: asks again at the new path when the old one went as it was asked")
  func renumberedMeanwhile() async throws {
    try await withLink { bench, link in
      let path = "\(Air.device)/service0002/char0042"
      for member in ["StartNotify", "ReadValue"] {
        await bench.bluez.on(member) { bluez, call in
          try await bluez.refuse(call, "org.freedesktop.DBus.Error.UnknownObject")
          try await bluez.remove(call.path)
          try await bluez.add(
            call.path == path ? Air.path(of: Air.status) : path,
            ScriptedBlueZ.characteristicInterface,
            ["UUID": .string(Air.status), "Value": .bytes([4, 2])])
        }
      }
      var values = try await link.notifications(of: Air.status).makeAsyncIterator()
      try await bench.bluez.set(
        path, ScriptedBlueZ.characteristicInterface, ["Value": .bytes([7])])
      #expect(await values.next() == [7])
      #expect(try await link.read(Air.status) == [4, 2])
      #expect(await bench.bluez.count("StartNotify") == 2)
      #expect(await bench.bluez.count("ReadValue") == 2)
    }
  }

  @Test("B04: an attribute that is gone for good ends in the code of what was asked")
  func goneForGood() async throws {
    try await withLink { bench, link in
      await bench.bluez.on("ReadValue", times: 2) { bluez, call in
        try await bluez.refuse(call, "org.freedesktop.DBus.Error.UnknownObject")
        try await bluez.remove(call.path)
        try await bluez.add(
          "\(call.path)9", ScriptedBlueZ.characteristicInterface, ["UUID": .string(Air.status)])
      }
      let error = await #expect(throws: Fault.self) { try await link.read(Air.status) }
      #expect(error?.code == .readFailed)
      #expect(await bench.bluez.count("ReadValue") == 2)
    }
  }

  /// B05: "subscribe anew on each connection, handle each Value once, old match rules removed;
  /// StopNotify on a gone object is not an error."
  @Test("B05: subscribes anew on each connection and hears each value once")
  func resubscribes() async throws {
    try await withLink { bench, link in
      let old = try await link.notifications(of: Air.status)
      try await bench.bluez.unlink(Air.device)
      #expect(await link.closed()?.code == .linkLost)
      for await _ in old { Issue.record("a value on a lost link") }
      await link.disconnect()

      await bench.bluez.on("Connect") { bluez, call in
        try await bluez.link(call.path)
        try await bluez.set(
          Air.path(of: Air.status), ScriptedBlueZ.characteristicInterface,
          ["Notifying": .boolean(true)])
        try await bluez.answer(call)
      }
      let again = try await bench.connect()
      var values = try await again.notifications(of: Air.status).makeAsyncIterator()
      #expect(await bench.bluez.count("StartNotify") == 2)
      try await notify(bench, "one")
      try await notify(bench, "two")
      #expect(await values.next() == Array("one".utf8))
      #expect(await values.next() == Array("two".utf8))
      await bench.bluez.on("StopNotify") { bluez, call in
        try await bluez.refuse(call, "org.freedesktop.DBus.Error.UnknownObject")
      }
      await again.disconnect()
      #expect(await bench.bluez.count("StopNotify") == 1)
      #expect(await values.next() == nil)
    }
  }

  @Test("does not take the echo of its own read for a notification")
  func echo() async throws {
    try await withLink { bench, link in
      var values = try await link.notifications(of: Air.status).makeAsyncIterator()
      try await notify(bench, "before")
      // The usual read announces the value it reads.
      _ = try await link.read(Air.status)
      #expect(await values.next() == Array("before".utf8))
      // Two values while a read is under way: one notified, and the echo, which is the last of its like.
      await bench.bluez.on("ReadValue") { bluez, call in
        for text in ["same", "other", "same"] {
          try await bluez.set(
            call.path, ScriptedBlueZ.characteristicInterface, ["Value": .bytes(Array(text.utf8))])
        }
        try await bluez.answer(call, [.bytes(Array("same".utf8))])
      }
      _ = try await link.read(Air.status)
      try await notify(bench, "same")
      for text in ["same", "other", "same"] {
        #expect(await values.next() == Array(text.utf8))
      }
    }
  }

  @Test("hears a notification that comes before the write's own reply")
  func earlyNotification() async throws {
    try await withLink { bench, link in
      var values = try await link.notifications(of: Air.status).makeAsyncIterator()
      await bench.bluez.on("WriteValue") { bluez, call in
        try await bluez.set(
          Air.path(of: Air.status), ScriptedBlueZ.characteristicInterface,
          ["Value": .bytes(Array("SSID reçu".utf8))])
        try await bluez.answer(call)
      }
      try await link.write([1], to: Air.ssid)
      #expect(await values.next() == Array("SSID reçu".utf8))
    }
  }

  @Test("fails an operation at once when the link is lost, and every later one")
  func lost() async throws {
    try await withLink { bench, link in
      await bench.bluez.on("ReadValue") { _, _ in }
      let reading = Task { try await link.read(Air.status) }
      await bench.bluez.called("ReadValue")
      try await bench.bluez.unlink(Air.device)
      let fault = await #expect(throws: Fault.self) { try await reading.value }
      #expect(fault?.code == .linkLost)
      #expect(await link.closed()?.code == .linkLost)
      let later = await #expect(throws: Fault.self) { try await link.write([1], to: Air.ssid) }
      #expect(later?.code == .linkLost)
    }
  }

  @Test("lets whoever waits for its end give up")
  func closedIsCancelled() async throws {
    try await withLink { _, link in
      let waiting = Task { await link.closed() }
      waiting.cancel()
      #expect(await waiting.value == nil)
    }
  }
}
