import Bluetooth
import Crypto
import Domain
import FoundationEssentials
import Glibc
import HTTPClient
import Host
import MQTT
import Services
import Storage
import Texts
import Web

/// The daemon's parts, put together in one straight line; teardown is the line read backwards.
struct Daemon: Sendable {
  private let configuration: Configuration
  private let database: Database
  private let radio: BlueZRadio
  private let link: BrokerLink
  private let desk: EnrolmentDesk
  private let server: Server
  private let ingest: Ingest
  private let forwarder: Forwarder
  private let retention: Retention
  private let health: Health
  private let board: StatusBoard
  private let log = Log("daemon")

  init(_ configuration: Configuration, serviceManager: ServiceManager) async throws {
    self.configuration = configuration
    let now: WallClock = { .now }
    let state = configuration.storage.directory
    try Self.makeDirectory(state)
    let sealKey = try SealKey.load(
      credentials: Environment["CREDENTIALS_DIRECTORY"], stateDirectory: state)
    database = try Database(path: "\(state)/soundgate.db")
    let gateway = try await GatewayIdentity.load(from: database)

    board = StatusBoard(now: now)
    let feed = ReadingFeed()
    let unclaimed = UnclaimedSensors()
    let progress = Progress()
    let outboxBell = Bell()
    let clockWatch = ClockWatch(bus: configuration.bluetooth.bus ?? DBus.systemBusAddress)

    radio = BlueZRadio(
      BlueZRadio.Settings(
        bus: configuration.bluetooth.bus ?? DBus.systemBusAddress,
        adapter: configuration.bluetooth.adapter, links: configuration.bluetooth.links),
      now: now)
    link = BrokerLink(configuration, gateway: gateway, now: now)
    let publish: @Sendable (String, [UInt8]) async throws(Fault) -> Void = {
      [link] topic, payload async throws(Fault) in
      try await link.publish(payload, to: topic, retained: false)
    }
    desk = EnrolmentDesk(
      EnrolmentContext(
        radio: radio, accounts: link, database: database, feed: feed, unclaimed: unclaimed,
        seal: sealKey, publish: publish, deadlines: configuration.enrolment.deadlines,
        links: configuration.bluetooth.links, now: now))
    ingest = Ingest(
      broker: link, database: database, feed: feed, board: board, unclaimed: unclaimed,
      outboxBell: outboxBell, gateway: gateway,
      batchLimit: configuration.broker.mode == .local
        ? Ingest.ownBrokerBatch : Ingest.siteBrokerBatch,
      progress: progress, wallClockState: { await clockWatch.state }, now: now)
    forwarder = Forwarder(
      database: database, courier: CurlCourier(userAgent: "soundgate/\(Version.text)"),
      sealKey: sealKey, board: board, bell: outboxBell, gateway: gateway,
      userAgent: "soundgate/\(Version.text)", progress: progress, now: now)
    retention = Retention(
      database: database, spans: .init(readings: configuration.storage.retention), now: now,
      progress: progress)
    health = Health(
      checks: Self.checks(radio: radio, link: link, clockWatch: clockWatch, configuration),
      board: board, progress: progress, serviceManager: serviceManager)
    let endpoints = Endpoints(
      database: database, desk: desk,
      sensors: SensorDesk(
        database: database, accounts: link, unclaimed: unclaimed, desk: desk, now: now),
      board: board, feed: feed, unclaimed: unclaimed, sealKey: sealKey, outboxBell: outboxBell,
      judgeURL: CurlCourier.judge,
      identity: Endpoints.Identity(
        gateway: gateway,
        site: configuration.site.name.isEmpty ? nil : configuration.site.name,
        version: Version.text, startedAt: now()),
      now: now)
    let router = endpoints.router()
    server = Server { await router.answer($0) }
  }

  /// Serves until `stop` returns.
  func run(until stop: @escaping @Sendable () async -> Void) async throws {
    tellOpening()
    try configuration.control.prepareDirectory()
    await board.reportStorage(of: database)
    // Before the broker: a second daemon ends here, and does not take the first one's session.
    try await server.start(
      path: configuration.control.socket, group: configuration.control.group)
    await link.start()
    log.notice("serving", ["socket": configuration.control.socket, "version": Version.text])
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await radio.run() }
      group.addTask { await serve("enrolment") { try await desk.run() } }
      group.addTask { await ingest.run() }
      group.addTask { await forwarder.run() }
      group.addTask { await serve("retention") { try await retention.run() } }
      group.addTask { await health.run() }
      group.addTask { await followBroker() }
      await stop()
      log.notice("stopping")
      await server.stop()
      group.cancelAll()
    }
    await link.stop()
    await database.close()
  }

  /// Starts a loop again that a fault has ended; none of them takes the others down.
  private func serve(
    _ name: String, _ loop: @Sendable () async throws -> Void
  ) async {
    var backoff = Backoff(cap: .seconds(60))
    while !Task.isCancelled {
      do {
        try await loop()
      } catch is CancellationError {
        return
      } catch {
        log.warning("a loop ended and starts again", ["loop": name, "error": "\(error)"])
        try? await Task.sleep(for: backoff.next())
      }
    }
  }

  /// The board hears of the broker's ups and downs at once, not at the next check.
  private func followBroker() async {
    for await condition in await link.conditions() {
      let fault = condition.fault
      await board.report(.broker, fault == nil ? .ok : .down, fault)
    }
  }

  private func tellOpening() {
    guard case .replacedDamaged(let oldPath, let cause) = database.opening else { return }
    log.error(
      "the database was damaged; it is set aside, a new one is in use",
      ["aside": oldPath, "cause": cause])
  }

  private static func makeDirectory(_ path: String) throws(Fault) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw Fault(storing: FileError("create", path))
    }
  }
}
