import Crypto
import Domain
import FoundationEssentials
import Glibc
import Host
import MQTT
import Services
import Storage
import Texts

/// `soundgate broker setup`: plan, write, start, and open the daemon's session.
struct BrokerSetUp {
  private static let unit = "soundgate-broker.service"

  private let configuration: Configuration
  private let call: Call
  private let owners: BrokerSetup.Owners
  private let setup: BrokerSetup

  private var terminal: Terminal { call.terminal }

  init(_ configuration: Configuration, _ call: Call) throws {
    guard geteuid() == 0 else {
      throw Refused(
        .invalidInput,
        Phrase(en: "this needs root", fr: "il faut être root"),
        hint: Phrase(
          en: "run: sudo soundgate broker setup", fr: "lancez : sudo soundgate broker setup"))
    }
    self.configuration = configuration
    self.call = call
    owners = BrokerSetup.Owners(
      broker: try ServiceUser.broker.find(), daemon: try ServiceUser.daemon.find())
    let broker = configuration.localBroker
    setup = BrokerSetup(
      MosquittoConfiguration(
        broker, plugin: try MosquittoConfiguration.installedPlugin(),
        user: ServiceUser.broker.rawValue),
      sensorAddress: try Self.address(call, configuration), names: Self.hostNames(),
      owners: owners, now: { .now })
  }

  func carryOut() async throws {
    try setup.checkPort()
    let known = try await remembered()
    let abandons = call.arguments.has("abandon-lost")
    var plan = try setup.plan(accounts: known.accounts, abandoning: abandons)
    if plan.concerns(configuration.localBroker) {
      try await systemctl("stop", Self.unit)
      // The broker may have written its account store until it stopped.
      plan = try setup.plan(accounts: known.accounts, abandoning: abandons)
    }
    try setup.carryOut(plan)
    try giveStateToDaemon()
    for path in plan.paths {
      terminal.say(Phrase(en: "written: \(path)", fr: "écrit : \(path)"))
    }
    guard access("/run/systemd/system", F_OK) == 0 else {
      terminal.say(
        Phrase(
          en: "systemd does not run here; start the broker with: mosquitto -c "
            + configuration.localBroker.configuration,
          fr: "systemd ne fonctionne pas ici ; démarrez le broker avec : mosquitto -c "
            + configuration.localBroker.configuration))
      return
    }
    try await systemctl("enable", Self.unit)
    try await systemctl(plan.isEmpty ? "start" : "restart", Self.unit)
    try await setup.openSession(gateway: known.gateway)
    try await systemctl("try-restart", "soundgate.service")
    terminal.say(
      Phrase(
        en: "The broker runs; sensors will be given \(setup.sensorAddress):8883. Reserve that "
          + "address in the DHCP server.",
        fr: "Le broker fonctionne ; les capteurs recevront \(setup.sensorAddress):8883. Réservez "
          + "cette adresse dans le serveur DHCP."))
  }

  /// The gateway's id, and the sensors' accounts as the daemon keeps them, for a store that is lost.
  private func remembered() async throws -> (gateway: String, accounts: [BrokerAccount]) {
    let state = configuration.storage.directory
    if mkdir(state, 0o700) == 0 { try giveStateToDaemon() }
    let key = try SealKey.load(
      credentials: Environment["CREDENTIALS_DIRECTORY"], stateDirectory: state)
    let database = try Database(path: "\(state)/soundgate.db")
    let gateway = try await GatewayIdentity.load(from: database)
    let records = try await database.read { try AccountStore($0).live() }
    await database.close()
    try giveStateToDaemon()
    let accounts = try records.compactMap { record in
      try record.sealedPassword.map { sealed in
        BrokerAccount(
          user: record.user,
          password: try key.open(sealed, for: SealPurpose.account(record.user)),
          role: .sensor(record.sensor))
      }
    }
    return (gateway, accounts)
  }

  /// What root has made in the daemon's directory becomes the daemon's.
  private func giveStateToDaemon() throws {
    guard let daemon = owners.daemon else { return }
    let state = configuration.storage.directory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: state)) ?? []
    for path in [state] + names.map({ "\(state)/\($0)" }) {
      guard lchown(path, daemon.uid, daemon.gid) == 0 else {
        throw Fault(.brokerNotSetUp, "\(FileError("give away", path))")
      }
    }
  }

  private func systemctl(_ verb: String, _ unit: String) async throws {
    guard access("/run/systemd/system", F_OK) == 0 else { return }
    let status = try await ChildProcess("systemctl", [verb, unit], output: 1, errors: 2).wait()
    guard status == 0 else {
      throw Fault(.brokerNotSetUp, "systemctl \(verb) \(unit) ended with \(status)")
    }
  }

  private static func address(_ call: Call, _ configuration: Configuration) throws -> IPv4Address {
    if let text = call.arguments["address"] ?? configuration.broker.sensorAddress {
      guard let address = IPv4Address(text) else {
        throw Arguments.Refusal.badValue(
          option: "--address", value: text.visible,
          expected: Phrase(en: "an IPv4 address", fr: "une adresse IPv4"))
      }
      return address
    }
    let broker = configuration.localBroker
    if let known = try? BrokerCredentials.load(broker.credentials) { return known.sensorAddress }
    let own = LocalAddresses.all().filter { !$0.isLoopback }
    guard own.count == 1, let only = own.first else {
      let list = own.map(\.text).joined(separator: ", ")
      throw Refused(
        .invalidInput,
        Phrase(
          en: "which address shall sensors be given? This machine has: \(list)",
          fr: "quelle adresse donner aux capteurs ? Cette machine a : \(list)"),
        hint: Phrase(
          en: "sudo soundgate broker setup --address ADDRESS",
          fr: "sudo soundgate broker setup --address ADRESSE"))
    }
    return only
  }

  private static func hostNames() -> [String] {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return [] }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let host = String(decoding: bytes, as: UTF8.self)
    return host.isEmpty ? [] : ["\(host.split(separator: ".")[0]).local"]
  }
}
