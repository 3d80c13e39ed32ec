import Bluetooth
import Dispatch
import Domain
import FoundationEssentials
import Glibc
import Host
import MQTT
import Simulator
import Storage
import Texts
import Web

/// Everything the demonstration runs on, in a temporary directory of its own.
actor DemoStage {
  /// A part that can be broken, to show that the story then fails.
  enum Part: String, CaseIterable { case broker, receiver, bluetooth, database }

  static let ssid = "SoundGate-Demo"
  static let key = Secret("correct horse battery")
  static let wrongKey = Secret("wrong horse battery")
  static let sensors = ["332211CCBBAA", "5544332211FF"].compactMap { SensorID($0) }

  nonisolated let directory: String
  nonisolated let socket: String
  nonisolated var configurationFile: String { "\(directory)/soundgate.conf" }
  nonisolated let gateway: Gateway
  nonisolated let fleet: SimulatedFleet
  nonisolated let receiver: Receiver
  nonisolated let broker: PrivateBroker
  /// Signs the alerts on their way to the receiver.
  nonisolated let secret = Secret(UUID().uuidString)
  private let terminal: Terminal
  private let sabotage: Part?
  private let bus: PrivateBus
  private let address: IPv4Address
  private let endBell = Bell()
  private var exitStatus: Int32?
  private var daemon: ChildProcess?
  private var daemonWatch: Task<Void, Never>?

  init(sabotage: Part?, terminal: Terminal) async throws {
    self.sabotage = sabotage
    self.terminal = terminal
    directory = try Self.temporaryDirectory()
    socket = "\(directory)/control.sock"
    gateway = Gateway(socket: socket, language: terminal.language)
    bus = try PrivateBus(under: directory)
    address = PrivateBroker.randomAddress()
    broker = try PrivateBroker.setUp(in: directory, address: address, now: { .now })
    fleet = SimulatedFleet(
      busAddress: bus.address, networks: [Self.network()], wallClock: { .now })
    receiver = try Receiver()
  }

  static func network(coverage: WiFiWorld.Coverage = .good) -> WiFiWorld.Network {
    WiFiWorld.Network(ssid: ssid, key: key.reveal(), coverage: coverage)
  }

  /// Starts the parts, the daemon last, and waits until it serves.
  func start() async throws {
    try await bus.start()
    terminal.say(Phrase(en: "· private D-Bus", fr: "· D-Bus privé"))
    if sabotage != .bluetooth {
      try await fleet.start(Self.sensors.map { SimulatedFleet.Plan(id: $0) })
      terminal.say(
        Phrase(
          en: "· stand-in bluetoothd, \(Self.sensors.count) simulated sensors",
          fr: "· bluetoothd de remplacement, \(Self.sensors.count) capteurs simulés"))
    }
    if sabotage != .broker {
      try await broker.start()
      terminal.say(
        Phrase(
          en: "· Mosquitto, TLS on \(address):8883", fr: "· Mosquitto, TLS sur \(address):8883"))
    }
    if sabotage == .receiver { await receiver.stop() } else { await receiver.start() }
    try await startDaemon()
    try await waitForDaemon()
    terminal.say(Phrase(en: "· the daemon serves", fr: "· le service répond"))
    try await gateway.send(
      "PUT", "/backend", body: API.Destination(url: receiver.url, secret: secret.reveal()))
  }

  func stop() async {
    daemon?.signal(SIGTERM)
    // One that was stopped, or hangs, does not hold up the rest.
    let impatience = Task { [daemon] in
      try await Task.sleep(for: .seconds(10))
      daemon?.signal(SIGKILL)
    }
    await daemonWatch?.value
    impatience.cancel()
    await fleet.stop()
    await broker.stop()
    await receiver.stop()
    await bus.stop()
    try? FileManager.default.removeItem(atPath: directory)
  }

  // MARK: The daemon

  private func startDaemon() async throws {
    let configuration = """
      [site]
      name = \(Phrase(en: "Demonstration", fr: "Démonstration")[terminal.language])
      [bluetooth]
      bus = \(bus.address)
      [broker]
      host = \(address)
      directory = \(directory)/broker
      [storage]
      directory = \(directory)/state
      [control]
      socket = \(socket)

      """
    try Files.write(Array(configuration.utf8), to: configurationFile, mode: 0o644)
    let log = Glibc.open("\(directory)/daemon.log", O_CREAT | O_WRONLY | O_APPEND, 0o644)
    defer { close(log) }
    var command = [Self.program, "run", "--config", configurationFile]
    if sabotage == .database { command = try await lockDatabase() + command }
    let process = try ChildProcess(command[0], Array(command.dropFirst()), output: log)
    daemon = process
    daemonWatch = Task { noteEnd(await process.wait()) }
  }

  private func noteEnd(_ status: Int32) {
    exitStatus = status
    endBell.ring()
  }

  /// The daemon's exit status, once it has ended; nil when the task is cancelled before.
  func daemonEnd() async -> Int32? {
    while exitStatus == nil, !Task.isCancelled { await endBell.wait() }
    return exitStatus
  }

  /// Makes the database read-only. Root may write any file, so the daemon then runs as nobody.
  private func lockDatabase() async throws -> [String] {
    let state = "\(directory)/state"
    let path = "\(state)/soundgate.db"
    try await Database(path: path).close()
    chmod(path, 0o444)
    guard geteuid() == 0 else { return [] }
    let nobody: uid_t = 65534
    chown(directory, nobody, nobody)
    chown(state, nobody, nobody)
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  }

  /// This very program. A link in `/proc` would be closed to another user.
  private static var program: String {
    let link = "/proc/self/exe"
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
  }

  /// Asks for the status until the daemon answers, at most 10 s; its end is noticed at once.
  private func waitForDaemon() async throws {
    try await Deadline.within(
      .seconds(10), Fault(.daemonUnreachable, "see \(directory)/daemon.log")
    ) { [gateway, self] in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          if let status = await self.daemonEnd() {
            throw DemoStory.Failed.daemonEnded(status)
          }
        }
        group.addTask {
          while (try? await gateway.send("GET", "/status")) == nil {
            try await Task.sleep(for: .milliseconds(50))
          }
        }
        try await group.next()
        group.cancelAll()
      }
    }
  }

  private static func temporaryDirectory() throws -> String {
    var template = Array("/tmp/soundgate-demo-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { throw FileError("create", "/tmp/soundgate-demo") }
    return String(cString: path)
  }
}
