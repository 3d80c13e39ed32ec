import Crypto
import Domain
import Host

/// The accounts of the gateway's own broker.
package actor LocalAccounts: Accounts {
  package nonisolated var areManaged: Bool { true }

  private let broker: LocalBroker
  private let credentials: BrokerCredentials
  private let list: AccountList
  private let security: DynamicSecurity
  private let clock: any Clock<Duration>
  private let now: WallClock

  package init(
    _ broker: LocalBroker, _ credentials: BrokerCredentials,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping WallClock
  ) {
    self.broker = broker
    self.credentials = credentials
    self.clock = clock
    self.now = now
    list = AccountList(broker.accountList)
    security = DynamicSecurity(
      broker.settings(clientID: "soundgate-admin", account: credentials.administrator),
      clock: clock, now: now)
  }

  package func open(
    for sensor: SensorID, number: Int, password: Secret?
  ) async throws(Fault) -> MQTTCredentials {
    guard LocalAddresses.include(credentials.sensorAddress) else {
      throw Fault(.literalMoved, "\(credentials.sensorAddress) is no address of this machine")
    }
    let account = BrokerAccount(
      user: "\(sensor)-\(number)", password: password ?? RandomText.password(),
      role: .sensor(sensor))
    let values: MQTTCredentials
    do throws(MQTTCredentials.Invalid) {
      values = try MQTTCredentials(
        host: credentials.sensorAddress.text, port: broker.port, user: account.user,
        password: account.password)
    } catch {
      throw Fault(.accountFailed, "\(error)")
    }
    // One that is listed may be at a sensor already: made anew it would end the sensor's session, and
    // deleted it would make the sensor erase its settings.
    let isListed = try list.read().contains(account.user)
    if !isListed { try await security.create(account) }
    do throws(Fault) {
      try await LoginProof.logIn(with: values, tls: .anyCertificate, clock: clock, now: now)
      try list.insert(account.user)
    } catch {
      if !isListed { try? await security.delete(account.user) }
      throw error.code == .brokerRefused ? Fault(.accountFailed, error.detail) : error
    }
    return values
  }

  package func remove(_ user: String) async throws(Fault) {
    try list.remove(user)
    try await security.delete(user)
    guard let sensor = Self.sensor(ofUser: user) else { return }
    let prefix = "\(sensor)-"
    if try await !security.users().contains(where: { $0.hasPrefix(prefix) }) {
      try await security.deleteRole(.sensor(sensor))
    }
  }

  /// The sensor of an account `<CHIPID>-<n>`.
  private static func sensor(ofUser user: String) -> SensorID? {
    user.lastIndex(of: "-").flatMap { SensorID(user[..<$0]) }
  }

  package func log() async -> AsyncStream<BrokerEvent> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: BrokerEvent.self, bufferingPolicy: .bufferingNewest(1024))
    var settings = broker.settings(
      clientID: "soundgate-log-\(UInt32.random(in: .min ... .max))", account: credentials.gateway)
    settings.subscriptions = [Subscription("$SYS/broker/log/#", qos: 0)]
    settings.reconnection = ClientSettings.steadyReconnection
    let client = Client(settings, clock: clock, now: now)
    // Without the log an enrolment goes on, and says less about what went wrong.
    try? await client.connect()
    let forwarding = Task { await Self.forward(client, to: continuation) }
    continuation.onTermination = { _ in forwarding.cancel() }
    return stream
  }

  private static func forward(
    _ client: Client, to continuation: AsyncStream<BrokerEvent>.Continuation
  ) async {
    while !Task.isCancelled {
      for case .message(let message) in await client.take() {
        let line = String(decoding: message.payload, as: UTF8.self)
        if let event = BrokerLogLine.event(in: line) { continuation.yield(event) }
      }
    }
    await client.stop()
    continuation.finish()
  }
}
