import Bluetooth
import Simulator
import TestSupport
import Testing

@Suite("A D-Bus connection", .timeLimit(.minutes(1)))
struct ConnectionTests {
  static let service = "org.example.Service"

  static func call(_ member: String, _ body: [DBus.Value] = []) -> DBus.Call {
    DBus.Call(service, "/", service, member, body)
  }

  static func ofBus(_ member: String) -> DBus.Call {
    DBus.Call("org.freedesktop.DBus", "/", "org.freedesktop.DBus", member)
  }

  /// A client and a service on one bus.
  private func withPeers(
    clock: any Clock<Duration> = ContinuousClock(),
    _ body: (PrivateBus, _ client: DBus.Connection, _ service: DBus.Connection) async throws -> Void
  ) async throws {
    try await withPrivateBus { bus in
      let service = try await DBus.Connection.open(bus.address)
      try await service.own(Self.service)
      let client = try await DBus.Connection.open(bus.address, clock: clock)
      try await body(bus, client, service)
      await client.close()
      await service.close()
    }
  }

  @Test("carries every type there and back")
  func roundTrip() async throws {
    try await withPeers { _, client, service in
      let calls = await service.incomingCalls()
      let echo = Task { for await call in calls { try await service.answer(call, call.body) } }
      for value in Self.values {
        let reply = try await client.call(Self.call("Echo", [value]))
        #expect(reply == [value])
      }
      let all = try await client.call(Self.call("Echo", Self.values))
      #expect(all == Self.values)
      let none = try await client.call(Self.call("Echo"))
      #expect(none == [])
      echo.cancel()
    }
  }

  static let values: [DBus.Value] = [
    .byte(255), .boolean(true), .int16(-7), .uint16(7), .int32(-70_000), .uint32(70_000),
    .int64(.min), .uint64(.max), .double(-0.25), .string("héhé 🎧"), .objectPath("/org/bluez"),
    .signature("a{sv}"), .bytes([]), .bytes(Array(repeating: 0xA5, count: 5000)),
    .strings(["one", "two"]), .array([], of: "(si)"),
    .structure([.string("a"), .structure([.byte(1), .strings([])])]),
    .variant(.variant(.bytes([1, 2]))),
    .dictionary([.uint16(0x004C): .variant(.bytes([2, 21]))], key: "q", value: "v"),
    .properties([:]),
    .properties([
      "ManufacturerData": .dictionary(
        [.uint16(76): .variant(.bytes([1, 2, 3]))], key: "q", value: "v"),
      "UUIDs": .strings(["180a"]),
      "Nested": .properties(["Deep": .properties(["Deeper": .boolean(false)])]),
    ]),
  ]

  @Test(
    "refuses what libdbus would abort at",
    arguments: [
      .string("a\0b"), .objectPath("org/bluez"), .objectPath(""), .signature("a{"),
      .structure([]), .array([.byte(1)], of: "s"), .array([], of: "zz"), .array([], of: "ss"),
      .dictionary([.strings([]): .byte(1)], key: "as", value: "y"),
      .dictionary([.string("a"): .byte(1)], key: "s", value: "v"),
      .variant(.structure([.string("\0")])), nested(70),
    ] as [DBus.Value])
  func invalidValue(value: DBus.Value) async throws {
    try await withPeers { _, client, _ in
      let error = await #expect(throws: BusError.self) {
        try await client.call(Self.call("Take", [value]))
      }
      #expect(error?.standard == .invalidArguments)
    }
  }

  static func nested(_ depth: Int) -> DBus.Value {
    (0..<depth).reduce(.byte(0)) { value, _ in .variant(value) }
  }

  @Test("refuses names that are none")
  func invalidName() async throws {
    try await withPeers { _, client, _ in
      for call in [
        DBus.Call("no name", "/", "a.b", "C"), DBus.Call("a.b", "path", "a.b", "C"),
        DBus.Call("a.b", "/", "interface", "C"), DBus.Call("a.b", "/", "a.b", "not a member"),
        DBus.Call("a.b\0", "/", "a.b", "C"),
      ] {
        let error = await #expect(throws: BusError.self) { try await client.call(call) }
        #expect(error?.standard == .invalidArguments)
      }
      let error = await #expect(throws: BusError.self) { _ = try await client.follow("a b") }
      #expect(error?.standard == .invalidArguments)
    }
  }

  @Test("B14: gives up at its own deadline and ignores the late reply")
  func deadline() async throws {
    let clock = ManualClock()
    try await withPeers(clock: clock) { _, client, service in
      var calls = await service.incomingCalls().makeAsyncIterator()
      let outcome = Task { try await client.call(Self.call("Slow"), within: .seconds(20)) }
      let slow = try #require(await calls.next())
      await clock.sleeper(dueIn: .seconds(20))
      clock.advance(by: .seconds(20))
      let error = await #expect(throws: BusError.self) { try await outcome.value }
      #expect(error?.standard == .timedOut)

      async let next = client.call(Self.call("Quick"), within: .seconds(20))
      let quick = try #require(await calls.next())
      try await service.answer(slow, [.string("late")])
      try await service.answer(quick, [.string("in time")])
      #expect(try await next == [.string("in time")])
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test("gives up when its caller is cancelled")
  func cancellation() async throws {
    try await withPeers { _, client, service in
      var calls = await service.incomingCalls().makeAsyncIterator()
      let calling = Task { try await client.call(Self.call("Slow")) }
      _ = await calls.next()
      calling.cancel()
      await #expect(throws: BusError.cancelled) { try await calling.value }
    }
  }

  @Test("tells its caller when the callee goes away or is not there")
  func calleeGone() async throws {
    try await withPeers { _, client, service in
      var calls = await service.incomingCalls().makeAsyncIterator()
      let outcome = Task { try await client.call(Self.call("Slow")) }
      _ = await calls.next()
      await service.close()
      let gone = await #expect(throws: BusError.self) { try await outcome.value }
      #expect(gone?.standard == .noReply)
      let absent = await #expect(throws: BusError.self) { try await client.call(Self.call("X")) }
      #expect([.serviceUnknown, .nameHasNoOwner].contains(absent?.standard))
    }
  }

  @Test("refuses calls that nobody serves, and passes refusals on")
  func refusals() async throws {
    try await withPeers { _, client, service in
      let unserved = await #expect(throws: BusError.self) { try await client.call(Self.call("X")) }
      #expect(unserved?.standard == .unknownMethod)
      var calls = await service.incomingCalls().makeAsyncIterator()
      let outcome = Task { try await client.call(Self.call("Y")) }
      let call = try #require(await calls.next())
      let error = BusError(name: "org.example.Error.No", message: "pas aujourd’hui")
      try await service.refuse(call, error)
      await #expect(throws: error) { try await outcome.value }
    }
  }

  @Test("B14: fails its calls and ends its streams when the bus dies, and a new one works")
  func busLost() async throws {
    try await withPeers { bus, client, service in
      var calls = await service.incomingCalls().makeAsyncIterator()
      let events = try await client.follow(Self.service)
      let outcome = Task { try await client.call(Self.call("Slow")) }
      _ = await calls.next()
      await bus.kill()
      let error = await #expect(throws: BusError.self) { try await outcome.value }
      #expect(error?.standard == .disconnected)
      for await _ in events {}
      #expect(await calls.next() == nil)
      let refused = await #expect(throws: BusError.self) {
        try await DBus.Connection.open(bus.address)
      }
      #expect(refused != nil)

      try await bus.start()
      let again = try await DBus.Connection.open(bus.address)
      let names = try await again.call(Self.ofBus("ListNames"))
      #expect(names.count == 1)
      await again.close()
    }
  }

  @Test("gives every follower every signal of the owner, and nobody else's")
  func following() async throws {
    try await withPeers { bus, client, service in
      let stranger = try await DBus.Connection.open(bus.address)
      let signal = { (word: String) in
        DBus.Signal(path: "/", interface: Self.service, member: "Said", body: [.string(word)])
      }
      let first = try await client.follow(Self.service)
      let second = try await client.follow(Self.service)
      try await stranger.emit(signal("forged"))
      _ = try await stranger.call(Self.ofBus("GetId"))
      try await service.emit(signal("one"))
      try await service.emit(signal("two"))
      try await service.release(Self.service)
      try await service.emit(signal("no longer the owner"))
      try await stranger.own(Self.service)
      try await stranger.emit(signal("three"))

      let owners = (await service.uniqueName, await stranger.uniqueName)
      let expected: [DBus.ServiceEvent] = [
        .owner(owners.0), heard("one", owners.0), heard("two", owners.0), .owner(nil),
        .owner(owners.1), heard("three", owners.1),
      ]
      for stream in [first, second] {
        var events: [DBus.ServiceEvent] = []
        for await event in stream {
          events.append(event)
          if events.count == expected.count { break }
        }
        #expect(events == expected)
      }
      await stranger.close()
    }
  }

  private func heard(_ word: String, _ sender: String) -> DBus.ServiceEvent {
    .signal(
      DBus.Signal(
        sender: sender, path: "/", interface: Self.service, member: "Said",
        body: [.string(word)]))
  }

  @Test("carries more than the socket holds, from many callers at once")
  func pressure() async throws {
    try await withPeers { _, client, service in
      let calls = await service.incomingCalls()
      let echo = Task { for await call in calls { try await service.answer(call, call.body) } }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<20 {
          let bytes = DBus.Value.bytes(Array(repeating: UInt8(number), count: 1 << 20))
          group.addTask { try await client.call(Self.call("Echo", [bytes])) == [bytes] }
        }
        for try await isSame in group { #expect(isSame) }
      }
      echo.cancel()
    }
  }
}
