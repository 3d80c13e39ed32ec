/// The sensor's side of enrolment: its characteristics, the bytes they take and the texts they give
/// (`docs/sensor-profile.md`).
package enum SensorProfile {
  /// A characteristic, by its UUID in lower case; looked up in whatever service holds it.
  package enum Characteristic: String, Hashable, Sendable, CaseIterable {
    case wifiSSID = "beb5483e-36e1-4688-b7f5-ea07361b26a8"
    case wifiKey = "cba1d466-3d7c-4382-8098-edbded2ef9e0"
    /// Read, notify: the one characteristic that is subscribed to.
    case wifiStatus = "5e3b1f9e-2d8a-4a1f-8c3d-9e7f1a3b5c7d"
    case mqttHost = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0001"
    case mqttPort = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0002"
    case mqttUser = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0003"
    case mqttPassword = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0004"
    /// Read only, and possibly absent: its notifications do not work in the field's firmware.
    case mqttStatus = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb0005"
    case deviceID = "7e1a9da9-2f1a-4d0e-bf2c-0f7f8efb1006"

    /// Without one of these a sensor cannot be enrolled.
    package static let required: [Characteristic] = [
      .wifiSSID, .wifiKey, .wifiStatus, .mqttHost, .mqttPort, .mqttUser, .mqttPassword, .deviceID,
    ]
  }

  /// One value and where it goes.
  package struct Write: Sendable {
    package let characteristic: Characteristic
    package let bytes: [UInt8]

    fileprivate init(_ characteristic: Characteristic, _ text: String) {
      self.characteristic = characteristic
      bytes = Array(text.utf8)
    }
  }

  /// The name first: a leftover name of an earlier client must not meet the new key.
  package static func writes(of credentials: WiFiCredentials) -> [Write] {
    [Write(.wifiSSID, credentials.ssid), Write(.wifiKey, credentials.key.reveal())]
  }

  /// To be written back to back: 300 ms without a write and the sensor keeps what it has.
  package static func writes(of credentials: MQTTCredentials) -> [Write] {
    [
      Write(.mqttHost, credentials.host), Write(.mqttPort, String(credentials.port)),
      Write(.mqttUser, credentials.user), Write(.mqttPassword, credentials.password.reveal()),
    ]
  }

  /// The client id with which the sensor logs in to the broker.
  package static func clientID(of sensor: SensorID) -> String { "ESP32C3-\(sensor)" }

  /// The chip id as the sensor gives it; nil when it is none.
  package static func sensorID(from bytes: [UInt8]) -> SensorID? {
    text(from: bytes).flatMap { SensorID($0) }
  }

  /// Whether a notification must be read to be believed: it makes no sense, or it has the length at
  /// which the least MTU cuts (23 less three), so that `10.0.0.123` would read `10.0.0.12`.
  package static func mayBeCut(_ bytes: [UInt8]) -> Bool {
    switch wifiStatus(from: bytes) {
    case .unknown: true
    case .joined, .snapshot(.some): bytes.count == 20
    default: false
    }
  }

  /// - Returns: `.unknown` for whatever is no complete text of a sensor's.
  package static func wifiStatus(from bytes: [UInt8]) -> WiFiStatus {
    guard let text = text(from: bytes) else { return .unknown }
    if let status = fixed[text] { return status }
    // MQTT first, then the negative: "Déconnecté" holds "connecté".
    if text.hasPrefix("MQTT") { return .mqtt(mqttStatus(from: text)) }
    if text.hasPrefix("Format MQTT") { return .mqtt(.other) }
    if let reason = text.between("Déconnecté (r=", ")") {
      return UInt8(reason).map { $0 == 0 ? .unknown : .left(reason: Int($0)) } ?? .unknown
    }
    if let address = text.between("Connecté: ", "") {
      return IPv4Address(address).map { .joined($0) } ?? .unknown
    }
    if let address = text.between("WiFi: ", "") {
      return IPv4Address(address).map { .snapshot($0) } ?? .unknown
    }
    return .unknown
  }

  /// Whether the sensor says that its MQTT session is open (read from `mqttStatus`).
  package static func isOnline(mqttStatus bytes: [UInt8]) -> Bool {
    wifiStatus(from: bytes) == .mqtt(.connected)
  }

  private static func mqttStatus(from text: String) -> WiFiStatus.MQTTStatus {
    if text.hasPrefix("MQTT reçu") { return .staged }
    if text.hasPrefix("MQTT connecté: ") || text.hasPrefix("MQTT: on ") { return .connected }
    if text.hasPrefix("MQTT: déconnecté") { return .disconnected }
    if let code = text.between("MQTT échec rc=", "").flatMap({ Int($0) }) { return .failed(code) }
    return .other
  }

  /// The texts without a variable part, those of older firmware last.
  private static let fixed: [String: WiFiStatus] = [
    "Déconnecté !": .idle,
    "WiFi: Déconnecté": .snapshot(nil),
    "SSID reçu": .ssidReceived,
    "PASS reçu": .keyReceived,
    "Erreur: identifiants invalides": .refused,
    "Connexion...": .starting,
    "Connecté (association)": .associated,
    "Déconnecté": .left(reason: nil),
    "Erreur: SSID vide": .refused,
    "Erreur: PASS vide": .refused,
    "Mot de passe trop court (min 8)": .refused,
    "Identifiants effacés + MQTT défauts": .mqtt(.other),
  ]

  private static func text(from bytes: [UInt8]) -> String? {
    String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self).map { $0.trimmingWhitespace() }
  }
}

extension String {
  /// What stands between `prefix` and `suffix`; nil when the text does not begin and end so.
  fileprivate func between(_ prefix: String, _ suffix: String) -> Substring? {
    guard utf8.count >= prefix.utf8.count + suffix.utf8.count, hasPrefix(prefix), hasSuffix(suffix)
    else { return nil }
    return dropFirst(prefix.count).dropLast(suffix.count)
  }
}
