import Bluetooth
import Domain
import TestSupport
import Testing

@Suite("Opening a link", .timeLimit(.minutes(1)))
struct ConnectTests {
  static let abortByLocal = "le-connection-abort-by-local"

  @Test("forgets the stale device, waits to hear it again, connects and resolves")
  func opens() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      let scan = try await bench.radio.sightings()
      await bench.bluez.called("StartDiscovery")
      try await bench.bluez.advertise()
      for try await _ in scan { break }
      let progress = ProgressRecorder()
      let link = try await bench.connect(progress: progress)
      #expect(link.address.text == Air.address)
      #expect(link.characteristics == Set(Air.characteristics))
      #expect(progress.all == [.attempt(1), .connected, .servicesResolved])
      let members = await bench.bluez.calls.map(\.member)
      let removed = try #require(members.firstIndex(of: "RemoveDevice"))
      let connected = try #require(members.firstIndex(of: "Connect"))
      #expect(removed < connected)
      await link.disconnect()
      #expect(await bench.bluez.count("Disconnect") == 1)
      #expect(await link.closed() == nil)
    }
  }

  @Test("says so when the sensor is not heard in time")
  func notSeen() async throws {
    try await withBench { bench in
      async let fault = bench.refusedConnect()
      await bench.bluez.called("StartDiscovery")
      await bench.clock.sleeper(dueIn: .seconds(20))
      bench.clock.advance(by: .seconds(20))
      let code = try await fault.code
      #expect(code == .notSeen)
      await bench.bluez.called("StopDiscovery")
    }
  }

  @Test("B01: says that BlueZ does not scan, when that is why nothing is heard")
  func scanRefused() async throws {
    try await withBench { bench in
      await bench.bluez.on("StartDiscovery", times: 100) { bluez, call in
        try await bluez.refuse(call, "org.bluez.Error.InProgress", "Operation already in progress")
      }
      async let fault = bench.refusedConnect()
      await bench.clock.sleeper(dueIn: .seconds(20))
      await bench.clock.sleeper(dueIn: .seconds(1))
      bench.clock.advance(by: .seconds(20))
      let code = try await fault.code
      #expect(code == .scanRefused)
    }
  }

  /// B02: "wait for `Connected=false`, then retry, …; no \"connected\" event shown to the user for the
  /// false start".
  @Test("B02: waits for the end of a false start, then tries again")
  func falseStart() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect") { bluez, call in
        try await bluez.set(
          call.path, ScriptedBlueZ.deviceInterface, ["Connected": .boolean(true)])
        try await bluez.refuse(call, "org.bluez.Error.Failed", Self.abortByLocal)
      }
      await bench.bluez.on("Disconnect") { bluez, call in try await bluez.answer(call) }
      let progress = ProgressRecorder()
      async let opening = bench.connect(progress: progress)
      await bench.bluez.called("Disconnect")
      await bench.clock.sleeper(dueIn: .seconds(10))
      #expect(await bench.bluez.count("Connect") == 1)
      try await bench.bluez.unlink(Air.device)
      await bench.clock.sleeper(dueIn: .milliseconds(250))
      bench.clock.advance(by: .milliseconds(250))
      let link = try await opening
      #expect(
        progress.all == [
          .attempt(1), .retrying(after: Fault(.connectFailed, Self.abortByLocal)), .attempt(2),
          .connected, .servicesResolved,
        ])
      await link.disconnect()
    }
  }

  /// B02: "bounded by the one overall deadline only; … final error keeps the reason."
  @Test("B02: tries again with growing pauses until the deadline, and keeps the reason")
  func bounded() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect", times: 100) { bluez, call in
        try await bluez.refuse(call, "org.bluez.Error.Failed", Self.abortByLocal)
      }
      async let fault = bench.refusedConnect(deadlines: LinkDeadlines(total: .seconds(10)))
      for pause in [250, 500, 1_000, 4_000, 4_000] {
        await bench.clock.sleeper(dueIn: .milliseconds(pause))
        bench.clock.advance(by: .milliseconds(pause))
      }
      let reason = try await fault
      #expect(reason == Fault(.connectFailed, Self.abortByLocal))
      #expect(await bench.bluez.count("Connect") == 6)
    }
  }

  @Test("does not insist where no second try helps")
  func permanent() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect") { bluez, call in
        try await bluez.refuse(call, "org.bluez.Error.NotSupported", "Operation is not supported")
      }
      #expect(try await bench.refusedConnect().code == .connectFailed)
      #expect(await bench.bluez.count("Connect") == 1)
    }
  }

  /// B03: "(a) stop at the deadline, call Disconnect, report \"services not resolved\" … Next attempt
  /// starts clean."
  @Test("B03: gives up on services that never resolve, and disconnects")
  func unresolved() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect") { bluez, call in
        try await bluez.set(
          call.path, ScriptedBlueZ.deviceInterface, ["Connected": .boolean(true)])
        try await bluez.answer(call)
      }
      async let fault = bench.refusedConnect()
      await bench.bluez.called("Connect")
      await bench.clock.sleeper(dueIn: .seconds(10))
      bench.clock.advance(by: .seconds(10))
      let code = try await fault.code
      #expect(code == .servicesUnresolved)
      #expect(await bench.bluez.count("Disconnect") == 1)
      await (try bench.connect()).disconnect()
    }
  }

  /// B03: "(b) fail at once, not at the deadline."
  @Test("B03: fails at once when the link drops while services are looked up")
  func droppedWhileResolving() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect") { bluez, call in
        try await bluez.set(
          call.path, ScriptedBlueZ.deviceInterface, ["Connected": .boolean(true)])
        try await bluez.answer(call)
      }
      async let fault = bench.refusedConnect()
      await bench.bluez.called("Connect")
      await bench.clock.sleeper(dueIn: .seconds(10))
      try await bench.bluez.unlink(Air.device)
      let code = try await fault.code
      #expect(code == .linkLost)
    }
  }

  /// B04: "Missing UUID: RemoveDevice, rescan, reconnect once; then say the sensor firmware is not
  /// compatible."
  @Test("B04: forgets the device and connects once more when a characteristic is missing")
  func staleAttributes() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      let stale: ScriptedBlueZ.Step = { bluez, call in
        try await bluez.link(call.path, characteristics: [Air.status])
        try await bluez.answer(call)
      }
      await bench.bluez.on("Connect", stale)
      let link = try await bench.connect()
      #expect(link.characteristics == Set(Air.characteristics))
      #expect(await bench.bluez.count("RemoveDevice") == 2)
      #expect(await bench.bluez.count("Connect") == 2)
      await link.disconnect()

      await bench.bluez.on("Connect", times: 2, stale)
      let fault = try await bench.refusedConnect()
      #expect(fault == Fault(.characteristicMissing, Air.ssid))
      #expect(await bench.bluez.count("Connect") == 4)
    }
  }

  /// B07: "rescan for the same address within the deadline, one more try, else \"sensor not in
  /// range\". No crash, no use of the stale proxy."
  @Test(
    "B07: looks for the device again when its object vanishes before Connect", arguments: [1, 2])
  func vanished(times: Int) async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect", times: times) { bluez, call in
        try await bluez.removeAll(under: call.path)
        try await bluez.refuse(
          call, "org.freedesktop.DBus.Error.UnknownObject", "Method \"Connect\" doesn't exist")
        try await bluez.advertise()
      }
      let opening = Task { try await bench.connect() }
      await bench.clock.sleeper(dueIn: .milliseconds(250))
      bench.clock.advance(by: .milliseconds(250))
      if times == 1 {
        await (try opening.value).disconnect()
      } else {
        let fault = await #expect(throws: Fault.self) { try await opening.value }
        #expect(fault?.code == .notSeen)
      }
      #expect(await bench.bluez.count("Connect") == 2)
    }
  }

  /// B14: "own deadline per call, then Disconnect to cancel; the late reply is ignored."
  @Test("B14: cancels a Connect that is not answered, and ignores the late answer")
  func unanswered() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect", times: 2) { _, _ in }
      async let fault = bench.refusedConnect(deadlines: LinkDeadlines(total: .seconds(30)))
      await bench.bluez.called("Connect")
      await bench.clock.sleeper(dueIn: .seconds(20))
      bench.clock.advance(by: .seconds(20))
      await bench.bluez.called("Disconnect")
      await bench.clock.sleeper(dueIn: .milliseconds(250))
      bench.clock.advance(by: .milliseconds(250))
      await bench.bluez.called("Connect", times: 2)
      await bench.clock.sleeper(dueIn: .milliseconds(9_750))
      bench.clock.advance(by: .milliseconds(9_750))
      let code = try await fault.code
      #expect(code == .connectTimeout)
      let late = try #require(await bench.bluez.calls.first { $0.member == "Connect" })
      try await bench.bluez.answer(late)
      await (try bench.connect()).disconnect()
    }
  }

  @Test("cancels a Connect whose caller gives up")
  func cancelled() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      await bench.bluez.on("Connect") { _, _ in }
      let opening = Task { try await bench.connect() }
      await bench.bluez.called("Connect")
      opening.cancel()
      await #expect(throws: Fault(.cancelled)) { try await opening.value }
      #expect(await bench.bluez.count("Disconnect") == 1)
      await (try bench.connect()).disconnect()
    }
  }

  @Test("holds no more links than it may")
  func busy() async throws {
    try await withBench { bench in
      try await bench.bluez.advertise()
      let link = try await bench.connect()
      #expect(try await bench.refusedConnect().code == .linksBusy)
      #expect(await bench.bluez.count("RemoveDevice") == 1)
      #expect(await bench.bluez.count("Connect") == 1)
      await link.disconnect()
      await (try bench.connect()).disconnect()
    }
  }
}
