import Crypto
import Domain
import Glibc
import Host

/// Sets up the gateway's own broker (`soundgate broker setup`): first a plan, then the writing.
///
/// Running it again is harmless: what is whole and right stays as it is.
package struct BrokerSetup: Sendable {
  package let configuration: MosquittoConfiguration
  package let sensorAddress: IPv4Address
  /// DNS names of the machine that the certificate shall bear besides the addresses.
  private let names: [String]
  let owners: Owners
  let now: WallClock

  var broker: LocalBroker { configuration.broker }

  /// Whose the files become; nil leaves them to whoever runs the set-up.
  package struct Owners: Sendable, Hashable {
    package let broker: User?
    package let daemon: User?

    package struct User: Sendable, Hashable {
      package let uid: uid_t
      package let gid: gid_t

      /// - Throws: `SG-MQTT-321` when there is no such user.
      package init(named name: String) throws(Fault) {
        guard let entry = getpwnam(name) else {
          throw Fault(.brokerNotSetUp, "there is no user \(name): is the package installed whole?")
        }
        uid = entry.pointee.pw_uid
        gid = entry.pointee.pw_gid
      }
    }

    package init(broker: User? = nil, daemon: User? = nil) {
      self.broker = broker
      self.daemon = daemon
    }
  }

  /// - Parameters:
  ///   - sensorAddress: the address that sensors will be given, one of this machine.
  ///   - names: `host.local` and the like.
  package init(
    _ configuration: MosquittoConfiguration, sensorAddress: IPv4Address, names: [String] = [],
    owners: Owners = Owners(), now: @escaping WallClock
  ) {
    self.configuration = configuration
    self.sensorAddress = sensorAddress
    self.names = names
    self.owners = owners
    self.now = now
  }

  // MARK: - The plan

  /// What there is to write.
  ///
  /// - Parameters:
  ///   - accounts: the sensors' accounts as the daemon knows them, for a store that is lost.
  ///   - isAbandoning: gives up listed accounts that the store has lost and `accounts` does not hold;
  ///     their sensors will have to be enrolled again.
  /// - Throws: `SG-MQTT-318` when accounts are lost and not given up; `SG-MQTT-319` when the address is
  ///   none of this machine's.
  package func plan(
    accounts: [BrokerAccount] = [], abandoning isAbandoning: Bool = false
  ) throws(Fault) -> BrokerPlan {
    guard LocalAddresses.include(sensorAddress) else {
      throw Fault(.literalMoved, "\(sensorAddress) is no address of this machine")
    }
    var plan = BrokerPlan()
    let known = try? BrokerCredentials.load(broker.credentials)
    var credentials = known ?? .new(sensorAddress: sensorAddress)
    credentials.sensorAddress = sensorAddress
    try planCertificate(&plan)
    try planAccounts(credentials, accounts: accounts, isAbandoning: isAbandoning, &plan)
    plan.put(try credentials.encoded(), at: broker.credentials, owners.daemon)
    plan.put(Array(configuration.text.utf8), at: broker.configuration, owners.broker)
    return plan
  }

  /// Names and addresses that a certificate must bear to be kept.
  private var wantedAddresses: [String] {
    Set([sensorAddress.text, "127.0.0.1", broker.host]).sorted()
  }
  private var wantedNames: [String] { ["localhost"] + names.filter { $0 != "localhost" } }

  private func planCertificate(_ plan: inout BrokerPlan) throws(Fault) {
    if let content = try? Files.read(broker.certificate, atMost: 1 << 20),
      access(broker.key, F_OK) == 0,
      let summary = try? CertificateSummary(pem: String(decoding: content, as: UTF8.self)),
      Set(wantedAddresses).isSubset(of: summary.addresses),
      Set(wantedNames).isSubset(of: summary.names),
      summary.notBefore <= now(), now() + .seconds(90 * 86_400) < summary.notAfter
    {
      return plan.put(content, at: broker.trustedCertificate, owners.daemon)
    }
    let made = try Certificate.selfSigned(names: wantedNames, addresses: wantedAddresses, at: now())
    let certificate = Array(made.certificate.utf8)
    plan.put(Array(made.key.reveal().utf8), at: broker.key, owners.broker)
    plan.put(certificate, at: broker.certificate, owners.broker)
    plan.put(certificate, at: broker.trustedCertificate, owners.daemon)
  }

  private func planAccounts(
    _ credentials: BrokerCredentials, accounts: [BrokerAccount], isAbandoning: Bool,
    _ plan: inout BrokerPlan
  ) throws(Fault) {
    let own = [
      BrokerAccount(
        user: credentials.gateway.user, password: credentials.gateway.password, role: .gateway),
      BrokerAccount(
        user: credentials.administrator.user, password: credentials.administrator.password,
        role: .administrator),
    ]
    let ownUsers = Set(own.map(\.user))
    let given = Set(accounts.map(\.user))
    let listed = (try? AccountList(broker.accountList).read()) ?? []
    var sensors = listed.union(given).subtracting(ownUsers)
    if let content = try? BrokerGuard(broker).wholeStore(holding: sensors),
      var store = AccountStore(content)
    {
      let isRight = own.allSatisfy(store.holds)
      if !isRight { store.put(own) }
      plan.put(
        isRight ? content : try store.encoded(), at: broker.accountStore, owners.broker)
    } else {
      let lost = sensors.subtracting(given).sorted()
      guard lost.isEmpty || isAbandoning else {
        throw Fault(
          .accountStoreDamaged, "the passwords of \(lost.joined(separator: ", ")) are not known")
      }
      sensors = given
      plan.put(try AccountStore(own + accounts).encoded(), at: broker.accountStore, owners.broker)
    }
    plan.put(
      AccountList.encoded(sensors.union(ownUsers)), at: broker.accountList, owners.daemon)
  }

  // MARK: - The writing

  /// Makes the directories and writes the plan's files. The broker must not run while its account
  /// store is among them: it would write its own over it.
  package func carryOut(_ plan: BrokerPlan) throws(Fault) {
    do {
      try Self.makeDirectory(broker.directory, owners.broker)
      try Self.makeDirectory(broker.stateDirectory, owners.daemon)
      for file in plan.files {
        try Files.write(file.content, to: file.path, mode: file.mode)
        try Self.give(file.path, to: file.owner)
      }
    } catch {
      throw Fault(.brokerNotSetUp, "\(error)")
    }
  }

  private static func makeDirectory(
    _ path: String, _ owner: Owners.User?
  ) throws(FileError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw FileError("create", path)
    }
    try give(path, to: owner)
  }

  private static func give(_ path: String, to owner: Owners.User?) throws(FileError) {
    guard let owner else { return }
    guard lchown(path, owner.uid, owner.gid) == 0 else { throw FileError("give away", path) }
  }
}
