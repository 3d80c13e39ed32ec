import Crypto
import Domain
import Foundation
import Glibc
import MQTT
import Simulator

/// A Mosquitto that sensors can reach: TLS on 8883 of a loopback address of its own, and in clear on
/// 1883 for a watcher.
struct SensorBroker {
  let process: PrivateBroker
  let address: String

  /// - Parameter admits: whether sensors may log in; the watcher always may.
  static func with(
    admits: Bool = true, _ body: (SensorBroker) async throws -> Void
  ) async throws {
    let address =
      "127.\(Int.random(in: 100...250)).\(Int.random(in: 0...255)).\(getpid() % 254 + 1)"
    let directory = NSTemporaryDirectory() + "soundgate-sensor-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let certificate = try Certificate.selfSigned(
      names: ["localhost"], addresses: [address],
      at: Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)))
    let files = [
      "cert.pem": certificate.certificate, "key.pem": certificate.key.reveal(),
      "mosquitto.conf": """
      per_listener_settings true
      user \(String(cString: getpwuid(geteuid()).pointee.pw_name))
      log_dest stderr
      log_type all
      listener 8883 \(address)
      certfile \(directory)/cert.pem
      keyfile \(directory)/key.pem
      tls_version tlsv1.2
      allow_anonymous \(admits)
      listener 1883 \(address)
      allow_anonymous true

      """,
    ]
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: "\(directory)/\(name)"))
    }
    let process = PrivateBroker(directory: directory)
    try await process.start()
    do {
      try await body(SensorBroker(process: process, address: address))
    } catch {
      await process.stop()
      throw error
    }
    await process.stop()
  }

  /// A sensor that has been given this broker, on Wi-Fi as soon as it has booted.
  func sensor(speed: Double = 3, traits: SensorTraits = SensorTraits()) -> SensorRunner {
    let wifi = SensorFlash.WiFi(ssid: "atelier", key: "correct horse")
    let broker = SensorFlash.Broker(
      host: address, port: 8883, user: "332211CCBBAA-1", password: "pw")
    let sensor = SimulatedSensor(
      id: Stage.id, address: Stage.address, traits: traits,
      flash: SensorFlash(wifi: wifi, broker: broker),
      air: WiFiWorld([.init(ssid: "atelier", key: "correct horse", address: "127.77.0.9")]))
    return SensorRunner(sensor, time: SimulatorTime(speed: speed), wallClock: Self.wallClock)
  }

  /// Somebody who sees everything that sensors publish.
  func watcher() async throws -> Client {
    let client = Client(
      ClientSettings(
        host: address, port: 1883, clientID: "watcher", subscriptions: [Subscription("devices/#")]),
      now: Self.wallClock)
    try await client.connect()
    return client
  }

  static let wallClock: WallClock = { Timestamp(seconds: 1_700_000_000) }
}

extension Client {
  /// Everything published until a message satisfies `isLast`, that one included.
  func messages(
    until isLast: (BrokerMessage) -> Bool
  ) async -> [BrokerMessage] {
    var messages: [BrokerMessage] = []
    while true {
      let deliveries = await take()
      if deliveries.isEmpty { return messages }
      _ = await pause()
      await acknowledge()
      for case .message(let message) in deliveries {
        messages.append(message)
        if isLast(message) { return messages }
      }
    }
  }
}

extension BrokerMessage {
  var text: String { String(decoding: payload, as: UTF8.self) }
}
