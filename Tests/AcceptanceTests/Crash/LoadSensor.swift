import Domain
import Foundation
import MQTT
import TestSupport

/// A sensor that publishes as fast as the broker takes it, every reading over each rule's threshold.
actor LoadSensor {
  let id: SensorID
  private let client: Client
  private let began: Date
  private var count = 0
  /// The contents of what the broker has acknowledged.
  private(set) var hashes: Set<UInt64> = []

  init(_ id: SensorID, _ values: MQTTCredentials, from began: Date) {
    self.id = id
    self.began = began
    client = Client(
      ClientSettings(
        host: values.host, port: values.port, clientID: SensorProfile.clientID(of: id),
        user: values.user, password: values.password, tls: .anyCertificate), now: { .now })
  }

  func connect() async throws { try await client.connect() }

  func disconnect() async { await client.stop() }

  /// One reading, whose content no other has.
  ///
  /// - Parameter level: marks a reading that is to be found again.
  func publish(level: Int = 50) async throws {
    count += 1
    let uptime = Int(Date().timeIntervalSince(began))
    let payload = Array(
      #"{"soundPct":\#(level),"dbfsAvg":-\#(count % 181),"uptime":\#(uptime),"n":\#(count)}"#.utf8)
    try await client.publish(payload, to: "devices/\(id)/status", qos: 1, retained: false)
    hashes.insert(FNV1a.hash(payload))
  }
}
