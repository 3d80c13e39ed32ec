import Bluetooth
import Domain
import TestSupport
import Testing

@Suite("A link that an earlier run left behind", .timeLimit(.minutes(1)))
struct OrphanTests {
  @Test("ends the link that a crashed run left open, and leaves others' devices alone")
  func orphan() async throws {
    let other = "/org/bluez/hci0/dev_AA_BB_CC_00_00_77"
    try await withBench(
      Setup(prepare: { bluez in
        try await bluez.showAdapter()
        for (path, name) in [(Air.device, Air.name), (other, "Keyboard")] {
          var properties = Air.properties(name: name)
          properties["Connected"] = .boolean(true)
          try await bluez.advertise(path, properties)
        }
        try await bluez.appear()
      })
    ) { bench in
      await bench.bluez.called("Disconnect")
      #expect(
        await bench.bluez.calls.filter { $0.member == "Disconnect" }.map(\.path) == [Air.device])
    }
  }

  @Test("ends a link that comes up for a run that has died, and later leaves links alone")
  func lateOrphan() async throws {
    try await withBench { bench in
      func setConnected(_ isConnected: Bool) async throws {
        try await bench.bluez.set(
          Air.device, ScriptedBlueZ.deviceInterface, ["Connected": .boolean(isConnected)])
      }
      _ = await bench.radio.condition()
      try await bench.bluez.advertise(Air.device, Air.properties(name: Air.name))
      try await setConnected(true)
      await bench.bluez.called("Disconnect")
      try await setConnected(false)
      await bench.clock.sleeper(dueIn: .seconds(60))
      bench.clock.advance(by: .seconds(60))

      try await setConnected(true)
      // A link of our own to another, so that what went before has been seen.
      let other = "/org/bluez/hci0/dev_AA_BB_CC_00_00_02"
      try await bench.bluez.advertise(other, Air.properties("AA:BB:CC:00:00:02"))
      let link = try await bench.radio.connect(
        to: bench.address("AA:BB:CC:00:00:02"), deadlines: LinkDeadlines()
      ) { _ in }
      let ended = await bench.bluez.calls.filter { $0.member == "Disconnect" }.map(\.path)
      #expect(ended == [Air.device])
      await link.disconnect()
    }
  }

  /// Its name is only in the scan response, so that a link may be open before the name was heard.
  @Test("is ended by the next connection when BlueZ never heard the sensor's name")
  func nameless() async throws {
    try await withBench(
      Setup(prepare: { bluez in
        try await bluez.showAdapter()
        var properties = Air.properties(name: Air.name)
        properties["Name"] = nil
        properties["Connected"] = .boolean(true)
        try await bluez.advertise(Air.device, properties)
        try await bluez.appear()
      })
    ) { bench in
      let link = try await bench.connect()
      let calls = await bench.bluez.calls.filter { $0.path != "/" }.map(\.member)
      let removal = try #require(calls.firstIndex(of: "RemoveDevice"))
      #expect(calls[removal...].contains("Connect"))
      await link.disconnect()
    }
  }
}
