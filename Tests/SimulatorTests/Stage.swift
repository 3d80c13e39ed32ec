import Bluetooth
import Domain
import Simulator

/// A private bus with a fleet on it and one client beside.
struct Stage {
  let fleet: SimulatedFleet
  let client: BusClient
  var bluez: StandInBlueZ { fleet.bluez }

  static let id = SensorID("332211CCBBAA")!
  static let device = "/org/bluez/hci0/dev_AA_BB_CC_11_22_35"
  static let address = BluetoothAddress("AA:BB:CC:11:22:35")!
  static let networks = [WiFiWorld.Network(ssid: "atelier", key: "correct horse")]

  /// - Parameter speed: how fast the stand-in's time passes.
  static func with(
    speed: Double = 20, traits: SensorTraits = SensorTraits(),
    _ body: (Stage) async throws -> Void
  ) async throws {
    let bus = try PrivateBus()
    try await bus.start()
    let fleet = SimulatedFleet(
      busAddress: bus.address, networks: networks, time: SimulatorTime(speed: speed),
      wallClock: { Timestamp(seconds: 1_700_000_000) })
    do {
      try await fleet.start([.init(id: id, traits: traits)])
      let client = try await BusClient(bus.address)
      _ = await client.owner()
      try await body(Stage(fleet: fleet, client: client))
      await client.close()
    } catch {
      await fleet.stop()
      await bus.stop()
      throw error
    }
    await fleet.stop()
    await bus.stop()
  }

  /// Opens the window: the sensor is on the air when this returns. The button is deaf for 1.5 s.
  func openWindow() async {
    // Before the button is pressed: on a busy machine it would be missed.
    guard let deeds = await fleet.sensor(Self.id)?.deeds() else { return }
    await fleet.keepPressing(Self.id)
    for await deed in deeds where deed.effect == .advertise(true) { return }
  }

  /// Scans until the device shows its name.
  func find() async throws {
    await openWindow()
    try await client.startDiscovery()
    _ = await client.changed("Name")
  }

  /// Connects, waits for the services, and answers the characteristics.
  func connect() async throws -> [SensorCharacteristic: String] {
    try await client.call(Self.device, "Device1", "Connect")
    _ = await client.changed("ServicesResolved")
    return try await client.characteristics()
  }

  /// Waits until the stand-in has noted it.
  func noted(_ kind: BlueZEvent.Kind) async -> Duration? {
    for await event in await bluez.events() where event.kind == kind { return event.at }
    return nil
  }

  func count(_ kind: BlueZEvent.Kind) async -> Int {
    await bluez.history.count { $0.kind == kind }
  }
}

extension BusError {
  static func ofBlueZ(_ name: String) -> String { "org.bluez.Error.\(name)" }
}

/// The error that a call ends with; nil when it succeeds.
func failure<T>(_ call: () async throws -> T) async -> BusError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? BusError
  }
}
