import Domain
import MQTT
import Simulator
import TestSupport
import Testing

@Suite("The accounts of our own broker")
struct LocalAccountsTests {
  private static let sensor = TestGateway.sensor

  @Test("an account is made, proven, listed, and known to the broker's store")
  func open() async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 3, password: nil)
      #expect(values.user == "A1B2C3D4E5F6-3")
      #expect(values.host == gateway.address.text && values.port == 8883)
      #expect(values.password.reveal().utf8.count == 32)
      let listed = try AccountList(gateway.broker.accountList).read()
      #expect(listed.contains(values.user))
      try BrokerGuard(gateway.broker).check()
      // The proof is a login of our own, which must not take the sensor's id.
      let lines = await gateway.process.lines
      #expect(lines.contains { $0.contains("as soundgate-proof-") && $0.contains(values.user) })
      #expect(!lines.contains { $0.contains("as ESP32C3-") })
    }
  }

  @Test("a known sensor's new account takes the old one's password")
  func knownSensor() async throws {
    try await TestGateway.with { gateway in
      let first = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      let second = try await gateway.accounts.open(
        for: Self.sensor, number: 2, password: first.password)
      #expect(second.password == first.password)
      let sensor = gateway.sensor(first)
      try await sensor.connect()
      await sensor.stop()
    }
  }

  @Test("an account that a sensor may hold is tried again without harm to it")
  func openAgain() async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      let sensor = gateway.sensor(values)
      try await sensor.connect()
      let before = await sensor.condition()
      let again = try await gateway.accounts.open(
        for: Self.sensor, number: 1, password: values.password)
      #expect(again == values)
      await #expect(throws: Fault.self) {
        try await gateway.accounts.open(for: Self.sensor, number: 1, password: Secret("another"))
      }
      #expect(await sensor.condition() == before, "its session was ended")
      await sensor.stop()
      let later = gateway.sensor(values)
      try await later.connect()
      await later.stop()
    }
  }

  @Test("a removed account is refused, and its name leaves the list")
  func remove() async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      try await gateway.accounts.remove(values.user)
      try await gateway.accounts.remove(values.user)
      let listed = try AccountList(gateway.broker.accountList).read()
      #expect(!listed.contains(values.user))
      let sensor = gateway.sensor(values)
      await #expect(throws: Fault.self) { try await sensor.connect() }
      await sensor.isDown(with: .brokerRefused)
      await sensor.stop()
    }
  }

  @Test("a sensor may do on its own topics what its firmware does, and nothing else")
  func rights() async throws {
    try await TestGateway.with { gateway in
      let daemon = gateway.daemon()
      try await daemon.connect()
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      let sensor = gateway.sensor(
        values, subscriptions: [Subscription("devices/\(Self.sensor)/cmd/#", qos: 0)])
      try await sensor.connect()
      let allowed = ["status", "availability", "ota/status", "cmd/reset_mqtt/ack"]
        .map { "devices/\(Self.sensor)/\($0)" }
      let denied = [
        "devices/\(TestGateway.other)/status", "devices/\(Self.sensor)/cmd/reboot",
        "soundgate/g1/availability", "devices/\(TestGateway.other)/availability",
      ]
      for topic in denied { try await sensor.publish([0], to: topic, qos: 0, retained: false) }
      for topic in allowed { try await sensor.publish([1], to: topic, qos: 0, retained: false) }
      var heard: [String] = []
      while heard.count < allowed.count {
        for case .message(let message) in await daemon.take() + daemon.pause() {
          heard.append(message.topic)
        }
        await daemon.acknowledge()
      }
      #expect(heard == allowed)

      try await daemon.publish([], to: Topic.resetMQTT(Self.sensor), retained: false)
      // Its own acknowledgement comes back to it too: it subscribes to all of `cmd`.
      let command = await sensor.next {
        if case .message(let message) = $0 {
          message.topic == "devices/\(Self.sensor)/cmd/reset_mqtt"
        } else {
          false
        }
      }
      #expect(command != nil)
      await sensor.stop()
      await daemon.stop()
    }
  }

  @Test("M02: a subscription the account may not have shows as an error, not as connected")
  func subscriptionDenied() async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      let sensor = gateway.sensor(values, subscriptions: [Subscription("devices/#")])
      await #expect(throws: Fault(.subscriptionRefused, "the broker refused devices/#")) {
        try await sensor.connect()
      }
      await sensor.isDown(with: .subscriptionRefused)
      await sensor.stop()
    }
  }

  @Test("an address that has left the machine stops an enrolment before anything is made")
  func moved() async throws {
    try await TestGateway.with { gateway in
      var credentials = gateway.credentials
      credentials.sensorAddress = IPv4Address("192.0.2.1")!
      let accounts = LocalAccounts(gateway.broker, credentials, now: wallClock)
      await #expect(throws: Fault(.literalMoved, "192.0.2.1 is no address of this machine")) {
        try await accounts.open(for: Self.sensor, number: 1, password: nil)
      }
      let listed = try AccountList(gateway.broker.accountList).read()
      #expect(listed == ["soundgate", "soundgate-admin"])
    }
  }

  @Test("a stopped broker is unreachable, not an account's fault")
  func stopped() async throws {
    try await TestGateway.with { gateway in
      await gateway.process.stop()
      let code = await code {
        _ = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      }
      #expect(code == .brokerUnreachable)
    }
  }

  enum Attempt: CaseIterable { case none, tls, wrongPassword, login }

  @Test("the broker's log names the leg", arguments: Attempt.allCases)
  func leg(attempt: Attempt) async throws {
    try await TestGateway.with { gateway in
      let values = try await gateway.accounts.open(for: Self.sensor, number: 1, password: nil)
      let events = await gateway.accounts.log()
      let sensor =
        switch attempt {
        case .none: gateway.sensor(values)
        case .tls: gateway.sensor(values, tls: .systemAuthorities)
        case .wrongPassword: gateway.sensor(user: values.user, password: Secret("wrong"))
        case .login: gateway.sensor(values)
        }
      if attempt != .none { try? await sensor.connect() }
      await sensor.stop()
      // Somebody with a name ends the story.
      let last = Client(
        gateway.broker.settings(clientID: "last", account: gateway.credentials.gateway),
        now: wallClock)
      try await last.connect()
      await last.stop()

      var verdict = BrokerVerdict(
        sensor: Self.sensor, account: values.user,
        address: attempt == .none ? IPv4Address("192.0.2.7") : gateway.localAddress)
      for await event in events {
        verdict.observe(event)
        if case .connected(_, "last", _) = event { break }
      }
      let expected: Code =
        switch attempt {
        case .none: .sensorUnreachable
        case .tls: .sensorTLS
        case .wrongPassword: .sensorRefused
        case .login: .noFirstReading
        }
      #expect(verdict.fault.code == expected)
      #expect(verdict.isConnected == (attempt == .login))
    }
  }
}

extension TestGateway {
  /// Where the kernel makes loopback connections come from.
  var localAddress: IPv4Address? { IPv4Address("127.0.0.1") }
}
