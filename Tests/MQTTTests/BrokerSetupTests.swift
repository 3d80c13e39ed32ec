import Crypto
import Domain
import Glibc
import Host
import MQTT
import Simulator
import TestSupport
import Testing

@Suite("The set-up of our own broker")
struct BrokerSetupTests {
  private static let sensor = TestGateway.sensor
  private static let account = BrokerAccount(
    user: "\(sensor)-1", password: Secret("0123456789abcdef"), role: .sensor(sensor))

  /// A set-up in a directory of its own; `directory` must be kept while it is used.
  private struct Site {
    let directory: TemporaryDirectory
    let broker: LocalBroker

    init(port: Int = 8883) throws {
      directory = try TemporaryDirectory()
      broker = LocalBroker(
        directory: directory.file("broker"), stateDirectory: directory.file("state"), port: port)
    }

    func setup(
      address: String = "127.0.0.1", names: [String] = [], now: @escaping WallClock = wallClock
    ) throws -> BrokerSetup {
      let address = try #require(IPv4Address(address))
      return BrokerSetup(
        MosquittoConfiguration(broker, plugin: "/usr/lib/plugin.so"), sensorAddress: address,
        names: names, now: now)
    }

    func read(_ path: String) throws -> [UInt8] { try Files.read(path, atMost: 1 << 20) }
  }

  @Test("writes everything, each file for its owner alone")
  func first() throws {
    let site = try Site()
    let setup = try site.setup()
    let plan = try setup.plan()
    try setup.carryOut(plan)
    let broker = site.broker
    #expect(
      Set(plan.paths) == [
        broker.configuration, broker.accountStore, broker.certificate, broker.key,
        broker.credentials, broker.accountList, broker.trustedCertificate,
      ])
    for path in plan.paths {
      var status = stat()
      #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(path)")
    }
    try BrokerGuard(broker).check()
  }

  @Test("run again, changes nothing")
  func again() throws {
    let site = try Site()
    let setup = try site.setup(names: ["gateway.local"])
    try setup.carryOut(try setup.plan())
    #expect(try setup.plan().isEmpty)
  }

  @Test("makes a new certificate when sensors get another address, and keeps every account")
  func newAddress() throws {
    let site = try Site()
    let first = try site.setup()
    try first.carryOut(try first.plan())
    let store = try site.read(site.broker.accountStore)
    let second = try site.setup(address: "127.0.0.9")
    try second.carryOut(try second.plan())
    #expect(try site.read(site.broker.accountStore) == store)
    #expect(try BrokerCredentials.load(site.broker.credentials).sensorAddress.text == "127.0.0.9")
    let summary = try CertificateSummary(
      pem: String(decoding: try site.read(site.broker.certificate), as: UTF8.self))
    #expect(Set(summary.addresses) == ["127.0.0.1", "127.0.0.9"])
    #expect(try site.read(site.broker.trustedCertificate) == site.read(site.broker.certificate))
  }

  @Test("makes a new certificate before the old one expires")
  func renewal() throws {
    let site = try Site()
    let first = try site.setup()
    try first.carryOut(try first.plan())
    let later = try site.setup { wallClock() + .seconds(20 * 365 * 86_400 - 30 * 86_400) }
    #expect(try later.plan().paths.contains(site.broker.certificate))
  }

  @Test("refuses an address that is not the machine's")
  func foreignAddress() async throws {
    let setup = try Site().setup(address: "192.0.2.1")
    #expect(await code { _ = try setup.plan() } == .literalMoved)
  }

  @Test("with the credentials lost, gives itself new ones and keeps the sensors' accounts")
  func lostCredentials() throws {
    let site = try Site()
    let setup = try site.setup()
    try setup.carryOut(try setup.plan(accounts: [Self.account]))
    let before = try site.read(site.broker.accountStore)
    #expect(remove(site.broker.credentials) == 0)
    try setup.carryOut(try setup.plan())
    #expect(try site.read(site.broker.accountStore) != before)
    let listed = try AccountList(site.broker.accountList).read()
    #expect(listed.contains(Self.account.user))
    try BrokerGuard(site.broker).check()
  }

  @Test("with the store lost, rebuilds it from the passwords the daemon has sealed")
  func lostStore() async throws {
    let site = try Site()
    let setup = try site.setup()
    try setup.carryOut(try setup.plan(accounts: [Self.account]))
    try Files.write([], to: site.broker.accountStore, mode: 0o600)
    // Without them it would turn the sensors away: it says so instead.
    #expect(await code { _ = try setup.plan() } == .accountStoreDamaged)
    try setup.carryOut(try setup.plan(accounts: [Self.account]))
    try BrokerGuard(site.broker).check()
    // Unless told to give them up.
    try Files.write([], to: site.broker.accountStore, mode: 0o600)
    try setup.carryOut(try setup.plan(abandoning: true))
    let listed = try AccountList(site.broker.accountList).read()
    #expect(!listed.contains(Self.account.user))
    try BrokerGuard(site.broker).check()
  }

  @Test("names who holds the port")
  func portTaken() async throws {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #expect(bind(server, $0, size) == 0 && listen(server, 1) == 0)
        #expect(getsockname(server, $0, &size) == 0)
      }
    }
    let setup = try Site(port: Int(UInt16(bigEndian: address.sin_port))).setup()
    do throws(Fault) {
      try setup.checkPort()
      Issue.record("the port was free")
    } catch {
      #expect(error.code == .portTaken)
      #expect(error.detail.contains("(process \(getpid()))"))
    }
  }

  @Test(
    "opens the daemon's session, so that readings wait for its first start, power cuts included")
  func session() async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      let setup = BrokerSetup(
        MosquittoConfiguration(gateway.broker, plugin: ""), sensorAddress: gateway.address,
        now: wallClock)
      try await setup.openSession(gateway: "g1")
      #expect(await gateway.process.said("Saving in-memory database"))
      // It says so before it does; whoever is answered after that was answered after the save.
      try await setup.openSession(gateway: "other")
      await gateway.process.kill()
      try await gateway.process.start()

      let sensor = gateway.sensor(values)
      try await sensor.connect()
      try await sensor.publish(
        [1], to: "devices/\(Self.sensor)/status", qos: 0, retained: false)
      let daemon = gateway.daemon()
      try await daemon.connect()
      let waiting = await daemon.nextMessage()
      #expect(waiting?.payload == [1] && waiting?.qos == 1, "\(waiting as Any)")
      await sensor.stop()
      await daemon.stop()
    }
  }
}

@Suite("The check of our own broker")
struct BrokerCheckTests {
  @Test("finds nothing wrong with one that runs")
  func good() async throws {
    try await TestGateway.with { gateway in
      let findings = await BrokerCheck(now: wallClock).findings(on: gateway.broker)
      #expect(findings.map(\.subject) == BrokerFinding.Subject.allCases)
      #expect(findings.compactMap(\.fault) == [])
    }
  }

  @Test("says that there was no set-up")
  func none() async throws {
    let directory = try TemporaryDirectory()
    let broker = LocalBroker(
      directory: directory.file("broker"), stateDirectory: directory.file("state"))
    let findings = await BrokerCheck(now: wallClock).findings(on: broker)
    #expect(findings.map(\.fault?.code) == [.brokerNotSetUp])
  }

  @Test("says which account the store has lost, and what the daemon is refused")
  func lostAccount() async throws {
    try await TestGateway.with { gateway in
      try AccountList(gateway.broker.accountList).insert("A1B2C3D4E5F6-7")
      let findings = await BrokerCheck(now: wallClock).findings(on: gateway.broker)
      let accounts = findings.first { $0.subject == .accounts }
      #expect(accounts?.fault?.code == .accountStoreDamaged)
      #expect(accounts?.fault?.detail.contains("A1B2C3D4E5F6-7") == true)
    }
  }
}

@Suite("A table of sockets")
struct PortOwnerTests {
  @Test("is read for those who listen on a port, and for nobody else")
  func sockets() {
    // proc(5), as a Debian 12 kernel prints it.
    let table = """
        sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
         0: 0100007F:22B3 00000000:0000 0A 00000000:00000000 00:00000000 00000000   997        0 81234 1 0 100 0 0 10 0
         1: 0100007F:22B3 0100007F:9C40 01 00000000:00000000 00:00000000 00000000   997        0 81240 1 0 20 4 30 10 -1
         2: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 19001 1 0 100 0 0 10 0
      """
    let ours = [PortOwner.Socket(inode: "81234", uid: 997)]
    #expect(PortOwner.sockets(listeningOn: 8883, in: table) == ours)
    #expect(PortOwner.sockets(listeningOn: 8883, at: IPv4Address("127.0.0.1"), in: table) == ours)
    #expect(PortOwner.sockets(listeningOn: 8883, at: IPv4Address("127.0.0.2"), in: table) == [])
    // All addresses are also that one.
    #expect(PortOwner.sockets(listeningOn: 22, at: IPv4Address("127.0.0.2"), in: table).count == 1)
    #expect(PortOwner.sockets(listeningOn: 1, in: table) == [])
    #expect(PortOwner.sockets(listeningOn: 8883, in: "header\nshort line") == [])
  }
}
