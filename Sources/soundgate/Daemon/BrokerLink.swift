import Crypto
import Domain
import Host
import MQTT

/// The daemon's broker, local or the site's. A local broker that is not set up yet is waited for: the
/// rest of the gateway works meanwhile, and readings flow once `soundgate broker setup` has run.
actor BrokerLink: Broker, Accounts {
  private let configuration: Configuration
  private let gateway: String
  private let now: WallClock
  private let ready = Bell()
  private var client: Client?
  private var accounts: (any Accounts)?
  private var sensorAddress: IPv4Address?
  private var missing: (fault: Fault, since: Timestamp)
  private var lookout: Task<Void, Never>?
  private var followers: [AsyncStream<BrokerCondition>.Continuation] = []

  nonisolated var areManaged: Bool { configuration.broker.mode == .local }

  init(_ configuration: Configuration, gateway: String, now: @escaping WallClock) {
    self.configuration = configuration
    self.gateway = gateway
    self.now = now
    missing = (Fault(.brokerNotSetUp), now())
  }

  /// Connects, or looks every 5 s whether it can; then passes on how the connection stands.
  func start() {
    lookout = Task {
      while !Task.isCancelled {
        if let client = await open() {
          for await condition in await client.conditions() { tell(condition) }
          return
        }
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }

  func stop() async {
    lookout?.cancel()
    for follower in followers { follower.finish() }
    await client?.stop()
  }

  private func open() async -> Client? {
    do throws(Fault) {
      let (settings, accounts) = try connection()
      let client = Client(settings.asGateway(gateway), now: now)
      self.client = client
      self.accounts = accounts
      await client.start()
      ready.ring()
      return client
    } catch {
      if error != missing.fault { missing = (error, now()) }
      tell(.down(missing.fault, since: missing.since))
      return nil
    }
  }

  private func connection() throws(Fault) -> (ClientSettings, any Accounts) {
    let broker = configuration.broker
    if broker.mode == .local {
      let local = configuration.localBroker
      let credentials = try BrokerCredentials.load(local.credentials)
      sensorAddress = credentials.sensorAddress
      return (
        local.settings(clientID: "", account: credentials.gateway),
        LocalAccounts(local, credentials, now: now)
      )
    }
    let password = try configuration.sitePassword()
    let host = broker.sensorAddress ?? broker.host
    sensorAddress = nil
    let values: MQTTCredentials
    do throws(MQTTCredentials.Invalid) {
      values = try MQTTCredentials(
        host: host, port: broker.port, user: broker.user ?? "", password: password)
    } catch {
      throw Fault(.configuration, "[broker] host, user or password cannot be given to a sensor")
    }
    return (try configuration.siteConnection(), SiteAccounts(values, now: now))
  }

  // MARK: Broker

  func take() async -> [Delivery] {
    while client == nil, !Task.isCancelled { await ready.wait() }
    return await client?.take() ?? []
  }

  func pause() async -> [Delivery] { await client?.pause() ?? [] }

  func acknowledge() async { await client?.acknowledge() }

  func publish(_ payload: [UInt8], to topic: String, retained: Bool) async throws(Fault) {
    guard let client else { throw missing.fault }
    try await client.publish(payload, to: topic, retained: retained)
  }

  func condition() async -> BrokerCondition {
    await client?.condition() ?? .down(missing.fault, since: missing.since)
  }

  /// The condition now and at each change.
  func conditions() async -> AsyncStream<BrokerCondition> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: BrokerCondition.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(await condition())
    followers.append(continuation)
    return stream
  }

  private func tell(_ condition: BrokerCondition) {
    for follower in followers { follower.yield(condition) }
  }

  /// Red when the address frozen in the sensors is no longer this machine's.
  func sensorAddressFault() -> Fault? {
    guard let sensorAddress, !LocalAddresses.include(sensorAddress) else { return nil }
    return Fault(.literalMoved, "sensors were given \(sensorAddress)")
  }

  // MARK: Accounts

  func open(
    for sensor: SensorID, number: Int, password: Secret?
  ) async throws(Fault) -> MQTTCredentials {
    guard let accounts else { throw missing.fault }
    return try await accounts.open(for: sensor, number: number, password: password)
  }

  func remove(_ user: String) async throws(Fault) {
    guard let accounts else { throw missing.fault }
    try await accounts.remove(user)
  }

  func log() async -> AsyncStream<BrokerEvent> {
    await accounts?.log() ?? AsyncStream { $0.finish() }
  }
}
