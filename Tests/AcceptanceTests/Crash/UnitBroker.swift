import Domain
import Foundation
import Glibc
import Host
import MQTT
import Simulator
import TestSupport

/// The local broker as systemd runs it: by the lines of its unit file, as a user of its own, with the
/// daemon's files owned by another.
final class UnitBroker {
  let broker: LocalBroker
  let address: IPv4Address
  private let directory: TemporaryDirectory
  private let owners: BrokerSetup.Owners
  private let program: String
  private var process: SpawnedProgram?

  /// Any two users that every Debian has.
  static let (user, daemon) = ("nobody", "daemon")

  /// Whether this machine can show it: broker and daemon run as two users, which takes root, both
  /// users, and a built program that others may run (not one in root's home, say).
  static func isPossible() async -> Bool {
    guard geteuid() == 0, getpwnam(user) != nil, getpwnam(daemon) != nil else { return false }
    let trial = try? ChildProcess("setpriv", identity(of: daemon) + [Program.path, "--version"])
    return await trial?.wait() == 0
  }

  init() throws {
    directory = try TemporaryDirectory()
    chmod(directory.path, 0o755)
    address = PrivateBroker.randomAddress()
    broker = LocalBroker(
      directory: directory.file("soundgate-broker"), stateDirectory: directory.file("soundgate"),
      listenAddress: address)
    program = Program.path
    owners = BrokerSetup.Owners(
      broker: try .init(named: Self.user), daemon: try .init(named: Self.daemon))
    let setup = BrokerSetup(
      MosquittoConfiguration(
        broker, plugin: try MosquittoConfiguration.installedPlugin(), user: Self.user),
      sensorAddress: address, owners: owners, now: { .now })
    try setup.carryOut(try setup.plan())
    let text = """
      [broker]
      host = \(address)
      directory = \(broker.directory)
      [storage]
      directory = \(broker.stateDirectory)
      [control]
      socket = \(broker.stateDirectory)/control.sock

      """
    try Files.write(Array(text.utf8), to: directory.file("soundgate.conf"), mode: 0o644)
  }

  /// What a start of the unit comes to.
  enum Start: Equatable {
    case running
    /// `ExecStartPre=` did not let it: its status and what it said.
    case refused(Int32, String)
  }

  func start() async throws -> Start {
    let guarding = try Self.line("ExecStartPre")
    // "+" is systemd's word for: as root, whatever User= says.
    precondition(guarding.first == "+/usr/bin/soundgate", "the guard runs as root")
    let check = try SpawnedProgram(
      program, guarding.dropFirst() + ["--config", directory.file("soundgate.conf")])
    var words: [String] = []
    for await line in check.lines { words.append(line) }
    let status = await check.wait()
    guard status == 0 else { return .refused(status, words.joined(separator: "\n")) }
    return try await run()
  }

  /// `ExecStart=` alone, as `User=`.
  func run() async throws -> Start {
    let command = try Self.line("ExecStart").map {
      $0.replacingOccurrences(of: "/var/lib/soundgate-broker", with: broker.directory)
    }
    let process = try SpawnedProgram("setpriv", Self.identity(of: Self.user) + command)
    self.process = process
    var words: [String] = []
    for await line in process.lines {
      words.append(line)
      if line.hasSuffix(" running") { return .running }
    }
    throw Fault(.brokerNotSetUp, words.joined(separator: "; "))
  }

  func stop() async {
    _ = await process?.terminate()
    process = nil
  }

  /// Starts the daemon as its own user.
  func startDaemon() throws -> SpawnedProgram {
    try SpawnedProgram(
      "setpriv",
      Self.identity(of: Self.daemon) + [
        program, "run", "--config", directory.file("soundgate.conf"),
      ])
  }

  /// The daemon's account for a sensor, its list left as the daemon's own.
  func openAccount(for sensor: SensorID) async throws -> MQTTCredentials {
    let accounts = LocalAccounts(
      broker, try BrokerCredentials.load(broker.credentials), now: { .now })
    let values = try await accounts.open(for: sensor, number: 1, password: nil)
    give(broker.accountList, to: owners.daemon)
    return values
  }

  /// Puts something else in the account store's place, as the broker's own file.
  func replaceStore(with content: [UInt8]?) throws {
    try? FileManager.default.removeItem(atPath: broker.accountStore)
    guard let content else { return }
    try Files.write(content, to: broker.accountStore, mode: 0o600)
    give(broker.accountStore, to: owners.broker)
  }

  private func give(_ path: String, to user: BrokerSetup.Owners.User?) {
    guard let user else { return }
    chown(path, user.uid, user.gid)
  }

  static func identity(of user: String) -> [String] {
    ["--reuid=\(user)", "--regid=\(gid(of: user))", "--clear-groups", "--no-new-privs"]
  }

  private static func gid(of user: String) -> gid_t { getpwnam(user)?.pointee.pw_gid ?? 65_534 }

  /// The words of a key's line in the unit file.
  private static func line(_ key: String) throws -> [String] {
    let unit = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../systemd/soundgate-broker.service")
    let text = try String(contentsOf: unit, encoding: .utf8)
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("\(key)=") }) else {
      throw Fault(.brokerNotSetUp, "no \(key)= in the unit")
    }
    return line.dropFirst(key.count + 1).split(separator: " ").map(String.init)
  }
}
