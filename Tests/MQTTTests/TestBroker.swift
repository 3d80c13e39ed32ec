import Crypto
import Domain
import Foundation
import Host
import MQTT
import Simulator
import TestSupport

/// A Mosquitto for one test, open to everybody, on a loopback address nobody else has.
struct TestBroker {
  let process: PrivateBroker
  let address: String
  let port: Int
  let directory: String

  /// - Parameters:
  ///   - extra: lines added to the configuration, with `DIR` for the broker's directory.
  ///   - certificate: makes it speak TLS.
  static func with<Result>(
    _ extra: String = "", certificate: Certificate? = nil,
    at address: IPv4Address = PrivateBroker.randomAddress(),
    _ body: (TestBroker) async throws -> Result
  ) async throws -> Result {
    let directory = try TemporaryDirectory()
    let port = certificate == nil ? 1883 : 8883
    var text = """
      listener \(port) \(address)
      allow_anonymous true
      user \(NSUserName())
      persistence false
      upgrade_outgoing_qos true
      log_dest stderr
      log_type all

      """
    if let certificate {
      try Files.write(
        Array(certificate.certificate.utf8), to: "\(directory.path)/server.crt", mode: 0o600)
      try Files.write(
        Array(certificate.key.reveal().utf8), to: "\(directory.path)/server.key", mode: 0o600)
      text += "certfile DIR/server.crt\nkeyfile DIR/server.key\n"
    }
    text += extra + "\n"
    text.replace("DIR", with: directory.path)
    try Files.write(Array(text.utf8), to: "\(directory.path)/mosquitto.conf", mode: 0o600)
    let process = PrivateBroker(directory: directory.path)
    try await process.start()
    let broker = TestBroker(
      process: process, address: address.text, port: port, directory: directory.path)
    do {
      let result = try await body(broker)
      await process.stop()
      return result
    } catch {
      await process.stop()
      throw error
    }
  }

  func settings(
    _ clientID: String, subscriptions: [Subscription] = [], isPersistent: Bool = false
  ) -> ClientSettings {
    ClientSettings(
      host: address, port: port, clientID: clientID, isPersistent: isPersistent,
      subscriptions: subscriptions)
  }

  func client(
    _ clientID: String, subscriptions: [Subscription] = [], isPersistent: Bool = false
  ) -> Client {
    Client(
      settings(clientID, subscriptions: subscriptions, isPersistent: isPersistent), now: wallClock)
  }

  /// How often somebody has connected under this client id since the broker's start.
  func connections(of clientID: String) async -> Int {
    await process.lines.count {
      $0.contains("New client connected") && $0.contains(" as \(clientID) ")
    }
  }
}

/// The wall clock of tests that do not care what time it is, but whose certificates must be valid.
let wallClock: WallClock = { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

/// One second between attempts, always.
let everySecond = Backoff(first: .seconds(1), factor: 1, cap: .seconds(1), jitter: 0)

/// The code of the fault that `body` ends in; nil when it ends well or in another error.
func code(_ body: () async throws -> Void) async -> Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? Fault)?.code
  }
}

extension Client {
  /// The next message delivered; whatever came together with it is lost. Nil when cancelled.
  func nextMessage() async -> BrokerMessage? {
    while true {
      let deliveries = await take()
      if deliveries.isEmpty { return nil }
      for case .message(let message) in deliveries { return message }
    }
  }

  /// The next delivery that `isWanted`; whatever came before or together with it is lost.
  func next(_ isWanted: (Delivery) -> Bool) async -> Delivery? {
    while true {
      let deliveries = await take()
      if let wanted = deliveries.first(where: isWanted) { return wanted }
      if deliveries.isEmpty { return nil }
    }
  }

  /// Waits until the connection stands where `isWanted` says.
  @discardableResult
  func stands(_ isWanted: @Sendable (BrokerCondition) -> Bool) async -> BrokerCondition? {
    for await condition in conditions() where isWanted(condition) { return condition }
    return nil
  }

  func isDown(with code: Code) async {
    await stands { if case .down(let fault, _) = $0 { fault.code == code } else { false } }
  }

  func isConnected() async {
    await stands { if case .connected = $0 { true } else { false } }
  }
}
