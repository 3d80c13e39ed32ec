import Bluetooth
import Simulator
import Testing

@Suite("A D-Bus connection")
struct ConnectionTests {
  @Test("carries every type there and back")
  func roundTrip() async throws {
    try await withPrivateBus { bus in
      let service = try await DBus.Connection.open(bus.address)
      let client = try await DBus.Connection.open(bus.address)
      try await service.own("org.example.Echo")
      let echo = Task {
        for await call in await service.incomingCalls() {
          try await service.answer(call, call.body)
        }
      }
      for value in Self.values {
        let reply = try await client.call(
          DBus.Call("org.example.Echo", "/", "org.example.Echo", "Echo", [value]))
        #expect(reply == [value])
      }
      let all = try await client.call(
        DBus.Call("org.example.Echo", "/", "org.example.Echo", "Echo", Self.values))
      #expect(all == Self.values)
      echo.cancel()
      await service.close()
      await client.close()
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
}
