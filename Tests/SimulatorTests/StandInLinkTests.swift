import Bluetooth
import Domain
import Simulator
import Testing

@Suite("The stand-in bluetoothd: links and attributes")
struct StandInLinkTests {
  @Test("connects, resolves, reads, notifies, and tells of a value read as of one notified")
  func wholeWay() async throws {
    try await Stage.with { stage in
      try await stage.find()
      let found = try await stage.connect()
      #expect(Set(found.keys) == Set(SensorCharacteristic.allCases))
      let status = try #require(found[.wifiStatus])
      #expect(try await stage.client.read(status) == "WiFi: Déconnecté")
      #expect(await stage.client.changed("Value").path == status)
      #expect(try await stage.client.read(found[.deviceID]!) == "332211CCBBAA")

      try await stage.client.call(status, "GattCharacteristic1", "StartNotify")
      try await stage.client.write("atelier", to: found[.wifiSSID]!)
      try await stage.client.write("correct horse", to: found[.wifiKey]!)
      var heard: [String] = []
      while heard.last?.hasPrefix("Connecté: ") != true {
        let value = await stage.client.changed("Value")
        if value.path == status {
          heard.append(String(decoding: value.value.bytes!, as: UTF8.self))
        }
      }
      #expect(
        heard == [
          "SSID reçu", "PASS reçu", "Connexion...", "Connecté (association)",
          "Connecté: 127.77.0.1",
        ])
    }
  }

  @Test("the link is lost without a word some 0.7 s after the fourth MQTT value")
  func teardown() async throws {
    // Slowly: 300 ms must not pass between two writes, on however busy a machine.
    try await Stage.with(speed: 0.25) { stage in
      try await stage.find()
      let found = try await stage.connect()
      for (text, characteristic) in [
        ("127.0.0.1", SensorCharacteristic.mqttHost), ("8883", .mqttPort), ("u", .mqttUser),
        ("p", .mqttPassword),
      ] {
        try await stage.client.write(text, to: found[characteristic]!)
      }
      #expect(await stage.client.changed("Connected").value.boolean == false)
      let last = try #require(
        await stage.noted(
          .written(
            Stage.address, characteristic: SensorCharacteristic.mqttPassword.rawValue,
            Array("p".utf8))))
      let lost = try #require(await stage.noted(.disconnected(Stage.address)))
      #expect(lost - last >= .milliseconds(720))
      let broker = await stage.fleet.sensor(Stage.id)?.snapshot.flash.broker
      #expect(broker == .init(host: "127.0.0.1", port: 8883, user: "u", password: "p"))
      #expect(await stage.count(.called(.disconnect)) == 0)
    }
  }

  @Test("refuses what the sensor's attributes do not allow")
  func refusals() async throws {
    try await Stage.with { stage in
      try await stage.find()
      let client = stage.client
      let found = try await stage.connect()
      let ssid = found[.wifiSSID]!
      let host = found[.mqttHost]!
      let mqttStatus = found[.mqttStatus]!
      #expect(
        await failure { try await client.read(ssid) }?.name == BusError.ofBlueZ("NotPermitted"))
      #expect(
        await failure { try await client.write("x", to: host, type: "command") } == .notPermitted)
      let long = String(repeating: "x", count: 183)
      #expect(
        await failure { try await client.write(long, to: ssid, type: "command") } == .invalidLength)
      try await client.write(String(repeating: "x", count: 512), to: ssid)
      #expect(
        await failure { try await client.write(String(repeating: "x", count: 513), to: ssid) }
          == .invalidLength)
      // Its subscription descriptor is lost to the attribute table's overflow.
      #expect(
        await failure { try await client.call(mqttStatus, "GattCharacteristic1", "StartNotify") }
          == .notSupported)
    }
  }

  @Test("gives up on a sensor out of reach after twenty seconds")
  func outOfReach() async throws {
    // Not faster: it is forgotten half a minute after it was last heard.
    try await Stage.with(speed: 10) { stage in
      try await stage.find()
      await stage.fleet.setSignal(of: Stage.id, rssi: nil)
      let client = stage.client
      #expect(
        await failure { try await client.call(Stage.device, "Device1", "Connect") } == .abortByLocal
      )
    }
  }

  @Test("an attempt under way refuses another; Disconnect ends it at once")
  func endedAttempt() async throws {
    try await Stage.with(speed: 1) { stage in
      try await stage.find()
      await stage.fleet.setSignal(of: Stage.id, rssi: nil)
      let client = stage.client
      async let first = failure { try await client.call(Stage.device, "Device1", "Connect") }
      let begun = try #require(await stage.noted(.connecting(Stage.address)))
      #expect(
        await failure { try await client.call(Stage.device, "Device1", "Connect") } == .inProgress)
      try await client.call(Stage.device, "Device1", "Disconnect")
      #expect(await first == .abortByLocal)
      let asked = try #require(await stage.noted(.called(.disconnect)))
      #expect(asked - begun < .seconds(20), "it had ended by itself")
    }
  }

  @Test("notes a second operation begun while one is under way")
  func overlap() async throws {
    try await Stage.with { stage in
      try await stage.find()
      let found = try await stage.connect()
      async let one = stage.client.read(found[.deviceID]!)
      async let other = stage.client.read(found[.mqttBase]!)
      #expect(try await [one, other] == ["332211CCBBAA", "devices/332211CCBBAA"])
      #expect(await stage.count(.overlapped(Stage.address)) == 1)
    }
  }

  @Test("B02: fails with abort-by-local after the link was up for a moment")
  func abortByLocal() async throws {
    try await Stage.with { stage in
      try await stage.find()
      await stage.bluez.misbehave(.abortByLocal, times: 1)
      #expect(
        await failure { try await stage.client.call(Stage.device, "Device1", "Connect") }
          == .abortByLocal)
      #expect(await stage.client.changed("Connected").value.boolean == true)
      #expect(await stage.client.changed("Connected").value.boolean == false)
      #expect(try await stage.connect().count == SensorCharacteristic.allCases.count)
    }
  }

  @Test("B03: services never resolve, or the link is lost before they do")
  func unresolved() async throws {
    try await Stage.with { stage in
      try await stage.find()
      await stage.bluez.misbehave(.dropBeforeResolved(.seconds(2)), times: 1)
      try await stage.client.call(Stage.device, "Device1", "Connect")
      #expect(await stage.client.changed("Connected").value.boolean == true)
      #expect(await stage.client.changed("Connected").value.boolean == false)
      await stage.bluez.misbehave(.neverResolve, times: 1)
      try await stage.client.call(Stage.device, "Device1", "Connect")
      #expect(await stage.client.changed("Connected").value.boolean == true)
      try await stage.client.call(Stage.device, "Device1", "Disconnect")
      #expect(await stage.count(.resolved(Stage.address)) == 0)
    }
  }

  @Test("B04: shows the former firmware's paths first; a characteristic may be missing altogether")
  func stale() async throws {
    try await Stage.with { stage in
      try await stage.find()
      await stage.bluez.misbehave(.staleAttributes, times: 1)
      try await stage.client.call(Stage.device, "Device1", "Connect")
      let old = await stage.client.added("org.bluez.GattCharacteristic1")
      #expect(await stage.client.changed("ServicesResolved").value.boolean == true)
      while await stage.client.removed() != old.path {}
      var new = await stage.client.added("org.bluez.GattCharacteristic1")
      while new.properties["UUID"] != old.properties["UUID"] {
        new = await stage.client.added("org.bluez.GattCharacteristic1")
      }
      #expect(new.path != old.path)
      let gone = await failure { try await stage.client.read(old.path) }
      #expect(gone?.standard == .unknownObject)

      try await stage.client.call(Stage.device, "Device1", "Disconnect")
      _ = await stage.client.changed("Connected")
      await stage.bluez.misbehave(.missing(.mqttUser), times: 1)
      let found = try await stage.connect()
      #expect(found[.mqttUser] == nil && found.count == SensorCharacteristic.allCases.count - 1)
    }
  }

  @Test("B05: still says Notifying after a reconnection, and notifies only once asked")
  func notifying() async throws {
    try await Stage.with { stage in
      await stage.bluez.misbehave(.keepNotifying)
      try await stage.find()
      let found = try await stage.connect()
      let objects = try await stage.client.managed()
      let status = objects[found[.wifiStatus]!]?.table?["org.bluez.GattCharacteristic1"]?.table
      #expect(status?["Notifying"]?.boolean == true)
      try await stage.client.write("atelier", to: found[.wifiSSID]!)
      try await stage.client.call(found[.wifiStatus]!, "GattCharacteristic1", "StartNotify")
      try await stage.client.write("x", to: found[.wifiKey]!)
      let value = await stage.client.changed("Value").value.bytes ?? []
      #expect(String(decoding: value, as: UTF8.self) == "PASS reçu")
    }
  }

  @Test("B06: shows the smallest MTU, or none at all", arguments: [true, false])
  func mtu(isShown: Bool) async throws {
    try await Stage.with { stage in
      await stage.bluez.misbehave(isShown ? .smallestMTU : .withoutMTU)
      try await stage.find()
      try await stage.client.call(Stage.device, "Device1", "Connect")
      let characteristic = await stage.client.added("org.bluez.GattCharacteristic1")
      #expect(characteristic.properties["MTU"]?.integer == (isShown ? 23 : nil))
    }
  }

  @Test("B07: the device vanishes as Connect comes in")
  func vanishes() async throws {
    try await Stage.with { stage in
      try await stage.find()
      await stage.bluez.misbehave(.vanishBeforeConnect, times: 1)
      let error = await failure {
        try await stage.client.call(Stage.device, "Device1", "Connect")
      }
      #expect(error?.standard == .unknownObject)
      #expect(await stage.client.removed() == Stage.device)
      // It is heard again.
      #expect(await stage.client.added("org.bluez.Device1").path == Stage.device)
    }
  }

  @Test("B14: swallows a call and answers the others meanwhile")
  func swallows() async throws {
    try await Stage.with { stage in
      try await stage.find()
      await stage.bluez.misbehave(.swallow(.connect), times: 1)
      let client = stage.client
      let swallowed = Task { try await client.call(Stage.device, "Device1", "Connect") }
      #expect(await stage.noted(.called(.connect)) != nil)
      #expect(try await stage.connect().count == SensorCharacteristic.allCases.count)
      swallowed.cancel()
      _ = await swallowed.result
    }
  }
}
