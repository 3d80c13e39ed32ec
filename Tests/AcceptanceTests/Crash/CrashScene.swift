import Domain
import Foundation
import Host
import MQTT
import Simulator
import Storage
import TestSupport

/// Everything around a daemon that dies again and again: a real broker with sensors publishing, a
/// bus with a sensor to be enrolled, a backend.
actor CrashScene {
  static let sensors = (1...3).map(sensorID)
  static let newcomer = sensorID(0xE0)
  static let rulesOfEach = 2
  static let ssid = "Crash"
  static let key = "password for crashes"

  nonisolated let api: ControlSocket
  nonisolated let deliveries = Deliveries()
  nonisolated let moment = CrashMoment()
  nonisolated let load: [LoadSensor]
  let receiver: Receiver

  private let directory: TemporaryDirectory
  private let bus: PrivateBus
  private let broker: PrivateBroker
  private let fleet: SimulatedFleet
  private var daemon: SpawnedProgram?
  private var listening: Task<Void, Never>?
  private var arrivals: Task<Void, Never>?

  var database: String { directory.file("state/soundgate.db") }

  static func with(_ body: (CrashScene) async throws -> Void) async throws {
    let scene = try await CrashScene()
    do {
      try await scene.start()
      try await body(scene)
    } catch {
      await scene.close()
      throw error
    }
    await scene.close()
  }

  private init() async throws {
    directory = try TemporaryDirectory()
    bus = try PrivateBus(under: directory.path)
    let address = PrivateBroker.randomAddress()
    broker = try PrivateBroker.setUp(in: directory.path, address: address, now: { .now })
    fleet = SimulatedFleet(
      busAddress: bus.address, networks: [WiFiWorld.Network(ssid: Self.ssid, key: Self.key)],
      wallClock: { .now })
    receiver = try Receiver()
    api = ControlSocket(directory.file("control.sock"))
    try await broker.start()
    guard let local = broker.broker else { preconditionFailure("it was set up") }
    let accounts = LocalAccounts(
      local, try BrokerCredentials.load(local.credentials), now: { .now })
    let began = Date()
    var load: [LoadSensor] = []
    for id in Self.sensors {
      load.append(
        LoadSensor(id, try await accounts.open(for: id, number: 1, password: nil), from: began))
    }
    self.load = load
    let text = """
      [bluetooth]
      bus = \(bus.address)
      [broker]
      host = \(address)
      directory = \(directory.path)/broker
      [storage]
      directory = \(directory.path)/state
      [control]
      socket = \(directory.path)/control.sock

      """
    try Files.write(Array(text.utf8), to: directory.file("soundgate.conf"), mode: 0o600)
  }

  private func start() async throws {
    try await bus.start()
    try await fleet.start([SimulatedFleet.Plan(id: Self.newcomer)])
    await fleet.keepPressing(Self.newcomer)
    await receiver.start()
    arrivals = Task { [receiver, deliveries, moment] in
      for await request in receiver.arrivals {
        await deliveries.take(request)
        await moment.happened()
      }
    }
    try await writeRules()
    try await startDaemon()
    try await api.send("PUT", "/backend", ["url": receiver.url])
    // Its session must be known to the broker before the first reading.
    while try await !isConnected() {}
    for sensor in load { try await sensor.connect() }
  }

  private func close() async {
    for sensor in load { await sensor.disconnect() }
    if daemon != nil { await crash() }
    await fleet.stop()
    await broker.stop()
    await receiver.stop()
    await arrivals?.value
    await bus.stop()
  }

  /// Rules without any cooldown, which no template offers: an alert for each reading.
  private func writeRules() async throws {
    let database = try Database(path: database, reserve: 0)
    try await database.write { connection in
      for (index, id) in Self.sensors.enumerated() {
        try SensorStore(connection).save(
          Sensor(id: id, name: try SensorName("Load \(index)"), enrolledAt: .now))
        for number in 1...Self.rulesOfEach {
          try RuleStore(connection).insert(
            Rule(
              id: UUID(), sensor: id, template: "dbfs", field: .dbfsAvg,
              comparison: .greaterOrEqual, threshold: -180, cooldown: 0, label: "Rule \(number)"))
        }
      }
    }
    await database.close()
  }

  // MARK: - The daemon

  /// Starts it and waits until it serves.
  func startDaemon() async throws {
    let daemon = try SpawnedProgram(
      Program.path, ["run", "--config", directory.file("soundgate.conf")])
    self.daemon = daemon
    let (serving, continuation) = AsyncStream.makeStream(of: String.self)
    listening = Task { [moment] in
      for await line in daemon.lines {
        continuation.yield(line)
        await moment.happened()
      }
      continuation.finish()
    }
    var said: [String] = []
    for await line in serving {
      said.append(line)
      if line.contains("daemon: serving") { return }
    }
    throw Fault(.internalFault, "the daemon ended at once: \(said.suffix(5))")
  }

  func crash() async {
    await daemon?.kill()
    await listening?.value
    daemon = nil
  }

  func stopDaemon() async -> Int32? {
    let status = await daemon?.stop()
    await listening?.value
    daemon = nil
    return status
  }

  // MARK: - How it stands

  /// Whoever enrols the newcomer.
  nonisolated var enroller: Enroller {
    Enroller(api: api, sensor: Self.newcomer, ssid: Self.ssid, key: Self.key)
  }

  /// What the daemon has left on the disk; it must not run.
  func record() async throws -> CrashRecord {
    try await CrashRecord(copying: database, into: directory.path)
  }

  private struct Status: Decodable {
    struct Component: Decodable {
      let component: String
      let level: String
    }
    struct Outbox: Decodable {
      let waiting: Int
      let parked: Int
    }
    let components: [Component]
    let outbox: Outbox
  }

  private func isConnected() async throws -> Bool {
    try await api.get("/status", as: Status.self).components.contains {
      $0.component == "broker" && $0.level == "ok"
    }
  }

  /// The level of each sensor's last reading.
  static let lastLevel = 99

  /// Whether everything published is stored and everything stored is delivered.
  func isSettled() async throws -> Bool {
    for sensor in load {
      let page = try await api.get("/sensors/\(sensor.id)/readings?limit=1", as: Page.self)
      guard let last = page.readings.first, last.level == Self.lastLevel else { return false }
    }
    return try await api.get("/status", as: Status.self).outbox.waiting == 0
  }

  private struct Page: Decodable {
    struct Reading: Decodable {
      let level: Int

      private enum CodingKeys: String, CodingKey { case level = "sound_pct" }
    }
    let readings: [Reading]
  }
}
