import Domain
import Foundation
import Host
import Simulator
import TestSupport
import Testing
import Texts

/// Everything that a test of the whole runs on: a private bus with a stand-in bluetoothd, simulated
/// sensors, a private broker with TLS, a receiver, and the built daemon as a process of its own.
actor Stage {
  static let chip = sensorID(0x3322_11CC_BBAA)
  static let ssid = "Résidence"
  static let key = "une clé de passage"

  struct Plan: Sendable {
    var policy = PrivateBus.Policy.open
    var hasBluetoothd = true
    var traits = SensorTraits()
    var network = WiFiWorld.Network(ssid: Stage.ssid, key: Stage.key)
    /// Lines of the configuration's section `[enrolment]`.
    var enrolment = ""
    var logLevel = "info"
  }

  nonisolated let directory: TemporaryDirectory
  nonisolated let socket: String
  nonisolated let fleet: SimulatedFleet
  nonisolated let broker: PrivateBroker
  nonisolated let receiver: Receiver
  nonisolated let log = Lines()
  nonisolated let plan: Plan
  private let bus: PrivateBus
  private let brokerAddress: IPv4Address
  private var daemon: ChildProcess?

  nonisolated var state: String { directory.file("state") }
  nonisolated var api: APIClient { APIClient(socket: socket) }

  /// Runs `body` on a stage, which is cleared whatever happens.
  static func perform(
    _ plan: Plan = Plan(), _ body: @Sendable (Stage) async throws -> Void
  ) async throws {
    let stage = try Stage(plan)
    do {
      try await stage.start()
      try await body(stage)
    } catch {
      Issue.record("the daemon said:\n\(await stage.log.all.suffix(40).joined(separator: "\n"))")
      await stage.clear()
      throw error
    }
    await stage.clear()
  }

  private init(_ plan: Plan) throws {
    self.plan = plan
    directory = try TemporaryDirectory()
    socket = directory.file("control.sock")
    bus = try PrivateBus(under: directory.path, policy: plan.policy)
    brokerAddress = PrivateBroker.randomAddress()
    broker = try PrivateBroker.setUp(
      in: directory.path, address: brokerAddress, now: { .now })
    fleet = SimulatedFleet(
      busAddress: bus.address, networks: [plan.network], wallClock: { .now })
    receiver = try Receiver()
  }

  private func start() async throws {
    try await bus.start()
    if plan.hasBluetoothd {
      try await fleet.start([SimulatedFleet.Plan(id: Self.chip, traits: plan.traits)])
      await fleet.keepPressing(Self.chip)
    }
    try await broker.start()
    await receiver.start()
    try await startDaemon()
  }

  private func clear() async {
    if daemon != nil { _ = await stopDaemon(with: SIGKILL) }
    await fleet.stop()
    await broker.stop()
    await receiver.stop()
    await bus.stop()
  }

  // MARK: The daemon

  /// Starts the daemon and waits until it serves.
  func startDaemon() async throws {
    let file = directory.file("soundgate.conf")
    try configuration.write(toFile: file, atomically: true, encoding: .utf8)
    let (reading, writing) = try Program.channel()
    await log.listen(to: reading)
    do {
      defer { close(writing) }
      daemon = try ChildProcess(
        Program.path, ["run", "--config", file],
        environment: Program.environment(socket: socket), output: writing)
    }
    try #require(await log.said("serving"), "the daemon did not come to serve")
  }

  /// Ends the daemon; answers its exit status.
  func stopDaemon(with signal: Int32 = SIGTERM) async -> Int32? {
    guard let daemon else { return nil }
    self.daemon = nil
    daemon.signal(signal)
    return await daemon.wait()
  }

  private var configuration: String {
    """
    [site]
    name = Acceptance
    [bluetooth]
    bus = \(bus.address)
    [broker]
    host = \(brokerAddress)
    directory = \(directory.file("broker"))
    [storage]
    directory = \(state)
    [control]
    socket = \(socket)
    [log]
    level = \(plan.logLevel)
    [enrolment]
    \(plan.enrolment)

    """
  }
}

// MARK: - What a person does

extension Stage {
  /// Runs a command of the built program against this stage's daemon.
  nonisolated func run(
    _ words: String..., language: Language = .english, input: String = ""
  ) async throws -> Program {
    try await Program.run(words, language: language, socket: socket, input: input)
  }

  /// Enrols the sensor as `soundgate enrol --yes` does, with the key from standard input.
  nonisolated func enrol(
    name: String = "Escalier", key: String = Stage.key, language: Language = .english
  ) async throws -> Program {
    try await run(
      "enrol", "--yes", "--sensor", Self.chip.text, "--ssid", Self.ssid, "--key-file", "-",
      "--name", name, language: language, input: key + "\n")
  }

  /// Has alerts sent to this stage's receiver.
  nonisolated func sendAlerts(signedWith secret: String) async throws {
    let set = try await run(
      "backend", "set", receiver.url, "--secret-file", "-", input: secret + "\n")
    #expect(set.status == 0, "\(set.words)")
  }
}
