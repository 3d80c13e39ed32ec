import Domain
import MQTT
import Simulator
import TestSupport

/// A broker set up as on a gateway, with its accounts, for one test.
struct TestGateway {
  let process: PrivateBroker
  let broker: LocalBroker
  let address: IPv4Address
  let credentials: BrokerCredentials
  let accounts: LocalAccounts

  static let sensor = SensorID("A1B2C3D4E5F6")!
  static let other = SensorID("0123456789AB")!

  static func with<Result>(
    _ body: (TestGateway) async throws -> Result
  ) async throws -> Result {
    let directory = try TemporaryDirectory()
    let address = PrivateBroker.randomAddress()
    let process = try PrivateBroker.setUp(
      in: directory.path, address: address, now: wallClock)
    guard let broker = process.broker else { preconditionFailure("it was set up") }
    try await process.start()
    let credentials = try BrokerCredentials.load(broker.credentials)
    let gateway = TestGateway(
      process: process, broker: broker, address: address, credentials: credentials,
      accounts: LocalAccounts(broker, credentials, now: wallClock))
    do {
      let result = try await body(gateway)
      await process.stop()
      return result
    } catch {
      await process.stop()
      throw error
    }
  }

  /// The daemon's connection.
  func daemon() -> Client {
    Client(
      broker.settings(clientID: "", account: credentials.gateway).asGateway("g1"), now: wallClock)
  }

  /// A sensor's connection: TLS at the literal, any certificate, clean session.
  func sensor(
    _ id: SensorID = Self.sensor, user: String, password: Secret,
    tls: TLSSettings = .anyCertificate, subscriptions: [Subscription] = []
  ) -> Client {
    Client(
      ClientSettings(
        host: address.text, clientID: SensorProfile.clientID(of: id), user: user,
        password: password, tls: tls, subscriptions: subscriptions),
      now: wallClock)
  }

  func sensor(
    _ values: MQTTCredentials, tls: TLSSettings = .anyCertificate,
    subscriptions: [Subscription] = []
  ) -> Client {
    sensor(user: values.user, password: values.password, tls: tls, subscriptions: subscriptions)
  }
}
