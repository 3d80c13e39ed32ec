import Bluetooth
import Domain
import Simulator
import Testing

@Suite("The stand-in bluetoothd: adapter and scan")
struct StandInScanTests {
  @Test("shows a powered adapter")
  func adapter() async throws {
    try await Stage.with { stage in
      let objects = try await stage.client.managed()
      let adapter = objects[BusClient.adapter]?.table?["org.bluez.Adapter1"]?.table
      #expect(adapter?["Address"]?.text == StandInBlueZ.adapterAddress)
      #expect(adapter?["Powered"]?.boolean == true)
      #expect(adapter?["PowerState"]?.text == "on")
      #expect(adapter?["Discovering"]?.boolean == false)
    }
  }

  @Test("a sensor appears without its name, which comes with the scan response")
  func nameComesLater() async throws {
    try await Stage.with { stage in
      await stage.openWindow()
      try await stage.client.startDiscovery()
      let device = await stage.client.added("org.bluez.Device1")
      #expect(device.path == Stage.device)
      #expect(device.properties["Name"] == nil)
      #expect(device.properties["Alias"]?.text == "AA-BB-CC-11-22-35")
      #expect(device.properties["RSSI"]?.integer.map { abs($0 + 58) <= 1 } == true)
      #expect(await stage.client.changed("Name").value.text == "SOUND-SENSOR-332211CCBBAA")
      // With an RSSI filter, every hearing is told.
      for _ in 0..<3 { #expect(await stage.client.changed("RSSI").path == Stage.device) }
    }
  }

  @Test("a pattern keeps others out of sight; without one they flood in")
  func pattern() async throws {
    try await Stage.with(speed: 1) { stage in
      await stage.bluez.flood(500)
      try await stage.find()
      #expect(try await stage.client.managed().count == 2)
      await stage.bluez.discoverForOthers()
      for _ in 0..<500 { _ = await stage.client.added("org.bluez.Device1") }
      #expect(try await stage.client.managed().count == 502)
    }
  }

  @Test("withdraws the strength when the scan stops, and forgets the unheard after a while")
  func stop() async throws {
    try await Stage.with(speed: 50) { stage in
      try await stage.find()
      try await stage.client.adapter("StopDiscovery")
      #expect(await stage.client.invalidated("RSSI") == Stage.device)
      #expect(await stage.client.changed("Discovering").value.boolean == false)
      #expect(await stage.client.removed() == Stage.device)
    }
  }

  @Test("answers in BlueZ's words to what is out of turn")
  func outOfTurn() async throws {
    try await Stage.with { stage in
      let client = stage.client
      #expect(await failure { try await client.adapter("StopDiscovery") } == .noDiscovery)
      try await client.startDiscovery()
      #expect(await failure { try await client.adapter("StartDiscovery") } == .inProgress)
      try await client.setPowered(false)
      #expect(await client.changed("Powered").value.boolean == false)
      #expect(await failure { try await client.adapter("StartDiscovery") } == .notReady)
      let absent = await failure { try await client.call(Stage.device, "Device1", "Connect") }
      #expect(absent?.standard == .unknownObject)
      let removal = await failure {
        try await client.adapter("RemoveDevice", [.objectPath(Stage.device)])
      }
      #expect(removal == .doesNotExist)
    }
  }

  @Test("ends a discovery with the client that asked for it")
  func clientGone() async throws {
    try await Stage.with { stage in
      try await stage.client.startDiscovery()
      await stage.client.close()
      #expect(await stage.noted(.discovering(false)) != nil)
    }
  }

  @Test("B01: is in progress as often as told, and then is not")
  func inProgress() async throws {
    try await Stage.with { stage in
      await stage.bluez.misbehave(.refuse(.startDiscovery, .inProgress), times: 5)
      for _ in 0..<5 {
        #expect(await failure { try await stage.client.startDiscovery() } == .inProgress)
      }
      try await stage.client.startDiscovery()
      #expect(await stage.count(.discovering(true)) == 1)
    }
  }

  @Test("B08: an adapter goes without a word about its devices and returns under another number")
  func reindexed() async throws {
    try await Stage.with { stage in
      try await stage.find()
      await stage.bluez.removeAdapter(quietly: true)
      #expect(await stage.client.removed() == BusClient.adapter)
      await stage.bluez.addAdapter(1)
      let adapter = await stage.client.added("org.bluez.Adapter1")
      #expect(adapter.path == "/org/bluez/hci1")
      #expect(adapter.properties["Address"]?.text == StandInBlueZ.adapterAddress)
    }
  }

  @Test("B09: restarts, and remembers nothing")
  func restart() async throws {
    try await Stage.with { stage in
      try await stage.find()
      await stage.bluez.restart(after: .seconds(3), adapterAfter: .seconds(2))
      #expect(await stage.client.owner() == nil)
      #expect(await stage.client.owner() != nil)
      let adapter = await stage.client.added("org.bluez.Adapter1")
      #expect(adapter.properties["Discovering"]?.boolean == false)
    }
  }

  @Test("B10: discovery stops unasked")
  func dropped() async throws {
    try await Stage.with { stage in
      try await stage.find()
      await stage.bluez.dropDiscovery()
      #expect(await stage.client.changed("Discovering").value.boolean == false)
      try await stage.client.adapter("StartDiscovery")
    }
  }

  @Test("O02: tells off from blocked, and refuses to be turned on while blocked")
  func blocked() async throws {
    try await Stage.with { stage in
      await stage.bluez.setAdapter(isPowered: false, isBlocked: true)
      #expect(await stage.client.changed("PowerState").value.text == "off-blocked")
      #expect(await failure { try await stage.client.setPowered(true) } == .blocked)
      await stage.bluez.setAdapter(isPowered: false)
      #expect(await stage.client.changed("PowerState").value.text == "off")
      try await stage.client.setPowered(true)
      #expect(await stage.client.changed("PowerState").value.text == "on")
    }
  }
}
