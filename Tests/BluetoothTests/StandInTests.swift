import Bluetooth
import Domain
import Simulator
import Testing

/// The radio beside the demonstration's own bluetoothd and sensors, on the real clock.
@Suite("With a simulated sensor the radio", .timeLimit(.minutes(2)))
struct StandInTests {
  private static let id = SensorID("332211CCBBAA")
  private static let networks = [WiFiWorld.Network(ssid: "atelier", key: "correct horse")]

  private func withFleet(
    _ body: (SimulatedFleet, BlueZRadio, SensorID) async throws -> Void
  ) async throws {
    let id = try #require(Self.id)
    try await withPrivateBus { bus in
      let fleet = SimulatedFleet(
        busAddress: bus.address, networks: Self.networks, time: SimulatorTime(speed: 10),
        wallClock: { Timestamp(seconds: 1_700_000_000) })
      try await fleet.start([.init(id: id)])
      await fleet.keepPressing(id)
      let radio = BlueZRadio(
        BlueZRadio.Settings(bus: bus.address), now: { Timestamp(seconds: 1_700_000_000) })
      let running = Task { await radio.run() }
      defer { running.cancel() }
      // On a busy machine the first answer may take longer than a command would wait.
      var condition = await radio.condition()
      while case .unusable = condition, let next = await radio.condition(after: condition) {
        condition = next
      }
      try await body(fleet, radio, id)
      running.cancel()
      await running.value
      await fleet.stop()
    }
  }

  /// Scans until the sensor is heard, and connects to it.
  private func find(
    _ id: SensorID, _ radio: BlueZRadio
  ) async throws -> any Link {
    for try await sighting in try await radio.sightings() where sighting.name.sensor == id {
      return try await radio.connect(
        to: sighting.address, deadlines: LinkDeadlines(), progress: { _ in })
    }
    throw Fault(.notSeen)
  }

  @Test(
    "finds it, connects and speaks with it, whatever BlueZ does once",
    arguments: [
      nil, .abortByLocal, .vanishBeforeConnect, .staleAttributes, .missing(.mqttPort),
      .keepNotifying, .withoutMTU, .refuse(.startDiscovery, .inProgress),
      .refuse(.stopDiscovery, .notReady),
    ] as [Misbehaviour?])
  func speaks(misbehaviour: Misbehaviour?) async throws {
    try await withFleet { fleet, radio, id in
      if let misbehaviour { await fleet.bluez.misbehave(misbehaviour, times: 1) }
      await fleet.bluez.flood(300)
      let link = try await find(id, radio)
      let chip = try await link.read(SensorCharacteristic.deviceID.rawValue)
      #expect(chip == Array(id.text.utf8))
      let status = SensorCharacteristic.wifiStatus.rawValue
      let notifications = try await link.notifications(of: status)
      let snapshot = try await link.read(status)
      #expect(SensorProfile.wifiStatus(from: snapshot) != .unknown)
      try await link.write(
        Array("atelier".utf8), to: SensorCharacteristic.wifiSSID.rawValue)
      try await link.write(
        Array("correct horse".utf8), to: SensorCharacteristic.wifiKey.rawValue)
      var texts: [String] = []
      for await bytes in notifications {
        texts.append(String(decoding: bytes, as: UTF8.self))
        if case .joined = SensorProfile.wifiStatus(from: bytes) { break }
      }
      // The snapshot's echo is not among them.
      #expect(texts.first == "SSID reçu")
      #expect(texts.dropFirst().first == "PASS reçu")
      #expect(texts.last?.hasPrefix("Connecté: 127.77.") == true)
      await link.disconnect()
      #expect(await link.closed() == nil)
    }
  }

  @Test("learns that the link is lost, and connects again")
  func lost() async throws {
    try await withFleet { fleet, radio, id in
      let link = try await find(id, radio)
      await fleet.dropLink(to: id)
      #expect(await link.closed()?.code == .linkLost)
      let again = try await find(id, radio)
      await again.disconnect()
    }
  }
}
