import Bluetooth
import Domain
import FoundationEssentials
import Simulator
import TestSupport
import Testing

@Suite("The radio's condition", .timeLimit(.minutes(1)))
struct ConditionTests {
  /// O02: "status tells blocked / off / absent apart and gives the command; picks up by signal within
  /// seconds once fixed."
  @Test("O02: tells no bluetoothd, no adapter, off and blocked apart, and picks up by signal")
  func toldApart() async throws {
    try await withBench(Setup(prepare: { _ in })) { bench in
      await bench.becomes(.bluetoothdAbsent)
      try await bench.bluez.appear()
      await bench.becomes(.adapterAbsent)
      try await bench.bluez.showAdapter(isPowered: false)
      await bench.becomes(.adapterOff)
      try await bench.bluez.set(
        Air.adapter, ScriptedBlueZ.adapterInterface, ["PowerState": .string("off-blocked")])
      await bench.becomes(.adapterBlocked)
      try await bench.bluez.set(
        Air.adapter, ScriptedBlueZ.adapterInterface,
        ["Powered": .boolean(true), "PowerState": .string("on")])
      await bench.becomes(nil)
      let address = try bench.address(Air.adapterAddress)
      #expect(await bench.radio.condition() == .ready(adapter: "hci0", address: address))
    }
  }

  /// O01: "when denied, a message naming the user and the missing right, slow retry".
  @Test("O01: knows when the bus's policy keeps it out, and asks again only now and then")
  func denied() async throws {
    try await withBench(Setup(policy: .bluezDenied)) { bench in
      await bench.becomes(.bluetoothDenied)
      await bench.clock.sleeper(dueIn: .seconds(60))
      bench.clock.advance(by: .seconds(60))
      await bench.clock.sleeper(dueIn: .seconds(60))
      #expect(await bench.condition() == .bluetoothDenied)
      await #expect(throws: Fault.self) { _ = try await bench.radio.sightings() }
    }
  }

  @Test("names a bus that is not there")
  func noBus() async throws {
    try await withBench(Setup(bus: "unix:path=/nonexistent/bus")) { bench in
      await bench.becomes(.busUnreachable)
    }
  }

  @Test(
    "asks the kernel's switches when BlueZ does not speak of them", arguments: ["soft", "hard"])
  func rfkill(kind: String) async throws {
    try await withSwitches(["rfkill0": ["type": "wlan", "soft": "1", "hard": "1"]]) { switches in
      let setup = Setup(
        rfkill: switches.path,
        prepare: { bluez in
          try await bluez.showAdapter(isPowered: false)
          try await bluez.appear()
        })
      try await withBench(setup) { bench in
        await bench.becomes(.adapterOff)
        // The switch of another adapter is none of ours.
        try switches.add("rfkill1", ["type": "bluetooth", "name": "hci7", kind: "1"])
        #expect(await bench.condition() == .adapterOff)
        try switches.add("rfkill2", ["type": "bluetooth", "name": "hci0", kind: "1"])
        let condition = await bench.radio.condition()
        #expect(condition == .unusable(Fault(.adapterBlocked, "hci0, rfkill: \(kind)")))
      }
    }
  }

  @Test("takes the configured adapter by its address, whatever its number")
  func configuredAdapter() async throws {
    try await withBench(Setup(adapter: BluetoothAddress("00:00:00:00:00:0B"))) { bench in
      await bench.becomes(.adapterAbsent)
      try await bench.bluez.showAdapter("/org/bluez/hci3", address: "00:00:00:00:00:0B")
      await bench.becomes(nil)
      let sightings = try await bench.radio.sightings()
      await bench.bluez.called("StartDiscovery")
      let start = await bench.bluez.calls.last { $0.member == "StartDiscovery" }
      #expect(start?.path == "/org/bluez/hci3")
      withExtendedLifetime(sightings) {}
    }
  }

  @Test("takes the first powered adapter when none is configured")
  func firstPowered() async throws {
    try await withBench(
      Setup(prepare: { bluez in
        try await bluez.showAdapter(isPowered: false)
        try await bluez.showAdapter("/org/bluez/hci1", address: "00:00:00:00:00:0B")
        try await bluez.appear()
      })
    ) { bench in
      await bench.becomes(nil)
      let address = try bench.address("00:00:00:00:00:0B")
      #expect(await bench.radio.condition() == .ready(adapter: "hci1", address: address))
    }
  }
}

/// A directory that looks like `/sys/class/rfkill`.
private struct Switches {
  let path: String

  func add(_ name: String, _ attributes: [String: String]) throws {
    try FileManager.default.createDirectory(
      atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    for (attribute, value) in attributes {
      try "\(value)\n".write(
        toFile: "\(path)/\(name)/\(attribute)", atomically: true, encoding: .utf8)
    }
  }
}

private func withSwitches(
  _ initial: [String: [String: String]], _ body: (Switches) async throws -> Void
) async throws {
  let switches = Switches(path: "/tmp/soundgate-rfkill-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(atPath: switches.path) }
  for (name, attributes) in initial { try switches.add(name, attributes) }
  try await body(switches)
}
