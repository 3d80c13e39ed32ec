import Domain
import Foundation
import Host
import MQTT
import TestSupport
import Testing

@Suite(
  "The broker's unit, with broker and daemon as two users",
  .enabled(
    "skipped: only root can run broker and daemon as two users, from a build open to both",
    UnitBroker.isPossible),
  .serialized, .timeLimit(.minutes(2)))
struct UnitGuardTests {
  private static let sensor = sensorID(0xA1)

  enum Damage: CaseIterable {
    case missing, empty, truncated, older

    func content(now: [UInt8], before: [UInt8]) -> [UInt8]? {
      switch self {
      case .missing: nil
      case .empty: []
      case .truncated: Array(now.prefix(now.count / 2))
      case .older: before
      }
    }
  }

  /// A sensor's own way in; nil when it got through, else how it was met.
  private static func attempt(_ values: MQTTCredentials) async -> Code? {
    let client = Client(
      ClientSettings(
        host: values.host, port: values.port, clientID: SensorProfile.clientID(of: sensor),
        user: values.user, password: values.password, tls: .anyCertificate), now: { .now })
    var code: Code?
    do throws(Fault) { try await client.connect() } catch { code = error.code }
    await client.stop()
    return code
  }

  private static func store(of unit: UnitBroker) throws -> [UInt8] {
    try Files.read(unit.broker.accountStore, atMost: 1 << 20)
  }

  // Three answers 4 or 5 erase a sensor's settings; one that finds nobody just tries again.
  @Test("lets no answer 4 or 5 reach a sensor", arguments: Damage.allCases)
  func damagedStore(damage: Damage) async throws {
    let unit = try UnitBroker()
    #expect(try await unit.start() == .running)
    let before = try Self.store(of: unit)
    let values = try await unit.openAccount(for: Self.sensor)
    #expect(await Self.attempt(values) == nil)
    await unit.stop()
    // A restart in good health leaves a copy.
    #expect(try await unit.start() == .running)
    await unit.stop()

    let whole = try Self.store(of: unit)
    try unit.replaceStore(with: damage.content(now: whole, before: before))
    for attempt in 1...3 {
      guard case .refused(let status, let words) = try await unit.start() else {
        Issue.record("the unit started with a store that is \(damage)")
        await unit.stop()
        return
      }
      #expect(status == Code.accountStoreDamaged.leg.exitStatus)
      #expect(words.contains("\(Code.accountStoreDamaged)"), "\(words)")
      #expect(await Self.attempt(values) == .brokerUnreachable, "attempt \(attempt)")
    }

    // The copy that the guard kept brings it back, with the same account.
    try unit.replaceStore(with: Files.read(unit.broker.accountStoreCopy, atMost: 1 << 20))
    #expect(try await unit.start() == .running)
    #expect(await Self.attempt(values) == nil)
    await unit.stop()
  }

  @Test("would answer 5 without its guard", arguments: [Damage.missing, .empty, .older])
  func withoutGuard(damage: Damage) async throws {
    let unit = try UnitBroker()
    #expect(try await unit.start() == .running)
    let before = try Self.store(of: unit)
    let values = try await unit.openAccount(for: Self.sensor)
    await unit.stop()
    let whole = try Self.store(of: unit)
    try unit.replaceStore(with: damage.content(now: whole, before: before))
    #expect(try await unit.run() == .running)
    #expect(await Self.attempt(values) == .brokerRefused)
    await unit.stop()
  }

  @Test("keeps each from the other's files, and lets the daemon in")
  func twoUsers() async throws {
    let unit = try UnitBroker()
    #expect(try await unit.start() == .running)
    _ = try await unit.openAccount(for: Self.sensor)
    let files = [
      (unit.broker.accountStore, UnitBroker.user), (unit.broker.key, UnitBroker.user),
      (unit.broker.credentials, UnitBroker.daemon), (unit.broker.accountList, UnitBroker.daemon),
    ]
    for (path, owner) in files {
      for reader in [UnitBroker.user, UnitBroker.daemon] {
        let cat = try SpawnedProgram("setpriv", UnitBroker.identity(of: reader) + ["cat", path])
        for await _ in cat.lines {}
        #expect((await cat.wait() == 0) == (reader == owner), "\(path) read by \(reader)")
      }
    }
    let daemon = try unit.startDaemon()
    var isConnected = false
    for await line in daemon.lines where line.contains("connected to the broker") {
      isConnected = true
      break
    }
    #expect(isConnected)
    #expect(await daemon.stop() == 0)
    await unit.stop()
  }
}
