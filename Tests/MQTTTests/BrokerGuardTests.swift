import Domain
import Glibc
import Host
import MQTT
import Simulator
import TestSupport
import Testing

@Suite("The guard in front of the broker")
struct BrokerGuardTests {
  private static let sensor = TestGateway.sensor

  /// What may have happened to an account store.
  enum Damage: CaseIterable {
    case missing, empty, truncated, garbage, older, withoutPassword, withoutRole

    func inflict(on broker: LocalBroker, before: [UInt8]) throws {
      let path = broker.accountStore
      let now = try Files.read(path, atMost: 1 << 20)
      let text = String(decoding: now, as: UTF8.self)
      let content: [UInt8]? =
        switch self {
        case .missing: nil
        case .empty: []
        case .truncated: Array(now.prefix(now.count / 2))
        case .garbage: Array("not an account store".utf8)
        case .older: before
        case .withoutPassword:
          Array(text.replacing(/"password":\s*"[^"]*"/, with: "\"password\": \"\"").utf8)
        case .withoutRole:
          Array(
            text.replacing(
              "\"rolename\":\t\"sensor-", with: "\"rolename\":\t\"gone-", maxReplacements: 1
            ).utf8)
        }
      guard let content else {
        #expect(remove(path) == 0)
        return
      }
      try Files.write(content, to: path, mode: 0o600)
    }
  }

  @Test(
    "no answer 4 or 5 ever reaches a sensor: a damaged store keeps the port closed",
    arguments: Damage.allCases)
  func refuses(damage: Damage) async throws {
    try await TestGateway.with { gateway in
      let before = try Files.read(gateway.broker.accountStore, atMost: 1 << 20)
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      await gateway.process.stop()
      try damage.inflict(on: gateway.broker, before: before)

      #expect(await code { try await gateway.process.start() } == .accountStoreDamaged)
      let sensor = gateway.sensor(values)
      #expect(await code { try await sensor.connect() } == .brokerUnreachable)
      await sensor.stop()
    }
  }

  @Test("without it, the same broker would answer 5")
  func control() async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      await gateway.process.stop()
      try Files.write([], to: gateway.broker.accountStore, mode: 0o600)
      let unguarded = PrivateBroker(directory: gateway.broker.directory)
      try await unguarded.start()
      let sensor = gateway.sensor(values)
      await #expect(throws: Fault(.brokerRefused, "the broker refused the account (answer 5)")) {
        try await sensor.connect()
      }
      await sensor.stop()
      await unguarded.stop()
    }
  }

  @Test("a whole store starts the broker, and a copy of it is kept")
  func accepts() async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      try await gateway.process.restart()
      let store = try Files.read(gateway.broker.accountStore, atMost: 1 << 20)
      #expect(try Files.read(gateway.broker.accountStoreCopy, atMost: 1 << 20) == store)
      let sensor = gateway.sensor(values)
      try await sensor.connect()
      await sensor.stop()
    }
  }

  @Test("a store that the broker could not read is refused")
  func unreadable() async throws {
    try await TestGateway.with { gateway in
      let check = BrokerGuard(gateway.broker, owner: 65_533)
      #expect(await code { try check.check() } == .accountStoreDamaged)
    }
  }

  @Test("without the list of accounts there is nothing to hold the store against")
  func noList() async throws {
    try await TestGateway.with { gateway in
      #expect(remove(gateway.broker.accountList) == 0)
      #expect(await code { try BrokerGuard(gateway.broker).check() } == .brokerNotSetUp)
    }
  }

  @Test("never refuses while accounts come and go, whenever the power fails")
  func order() async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      try BrokerGuard(gateway.broker).check()
      // A list that the power cut short of its newest name, or of a removed one.
      try AccountList(gateway.broker.accountList).remove(values.user)
      try BrokerGuard(gateway.broker).check()
      await gateway.process.kill()
      try BrokerGuard(gateway.broker).check()
    }
  }
}
