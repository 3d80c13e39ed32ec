/// The Bluetooth part of a running sensor.
struct SensorRadio: Sendable {
  var stack = Stack.notLoaded
  var isWindowOpen = false
  var isHeldAtPowerUp = false
  var link: Link?
  /// Written since the last processing, in either order; outlives the link.
  var ssid: [UInt8]?
  var key: [UInt8]?
  var wifiStatus = initialStatus
  var mqttStatus = initialStatus
  /// The one status that waits for the next pass of the main loop.
  var deferred: [UInt8]?
  var staged = Staged()
  var areSettingsDue = false

  static let initialStatus = Array("Déconnecté !".utf8)

  enum Stack: Sendable {
    case notLoaded
    case loaded
    /// Its memory is given back; it cannot be started again before a restart.
    case released
  }

  struct Link: Sendable {
    var mtu: Int
    var subscriptions: Set<SensorCharacteristic> = []
  }

  /// MQTT values written and not yet saved; nil leaves the stored value.
  struct Staged: Sendable {
    var host: String?
    var port: Int?
    var user: String?
    var password: String?
  }
}

extension [UInt8] {
  /// Cut at the first NUL, white space of ASCII trimmed at both ends.
  var asReceived: [UInt8] {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let text = prefix { $0 != 0 }.drop(while: isSpace)
    guard let last = text.lastIndex(where: { !isSpace($0) }) else { return [] }
    return Array(text[...last])
  }

  var asText: String { String(decoding: self, as: UTF8.self) }
}
