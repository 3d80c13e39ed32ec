/// A network's name and key, in the form the sensor can take and keep unchanged.
///
/// The sensor trims white space and cuts at NUL, cannot join an open network, and stores what is too
/// long only to fall silent (`docs/sensor-profile.md`, "Wi-Fi input"): all of that is refused here,
/// before the first byte is sent.
package struct WiFiCredentials: Hashable, Sendable {
  /// 1–32 bytes of UTF-8. Any text will do: a hidden network is seen in no scan.
  package let ssid: String
  /// 8–63 bytes, or 64 hexadecimal digits.
  package let key: Secret

  /// Which of the two is refused.
  package enum Field: String, Hashable, Sendable, Codable {
    case ssid
    case key
  }

  /// Which rule it breaks.
  package enum Rule: Hashable, Sendable {
    /// For a key: the sensor cannot join an open network.
    case empty
    case tooShort(bytes: Int)
    case tooLong(bytes: Int)
    /// A key of 64 bytes is a raw key and must be hexadecimal.
    case notHexadecimal
    case nul
    /// The sensor would trim it away.
    case outerWhitespace
  }

  /// Why a name and a key are refused. The text itself is never repeated.
  package struct Invalid: Error, Hashable, Sendable {
    package let field: Field
    package let rule: Rule

    package var code: Code { field == .ssid ? .invalidSSID : .invalidWiFiPassword }
  }

  package init(ssid: String, key: Secret) throws(Invalid) {
    if let rule = Self.rule(brokenBy: ssid, upTo: 32) { throw Invalid(field: .ssid, rule: rule) }
    if let rule = Self.rule(brokenByKey: key.reveal()) { throw Invalid(field: .key, rule: rule) }
    self.ssid = ssid
    self.key = key
  }

  private static func rule(brokenByKey key: String) -> Rule? {
    if let rule = rule(brokenBy: key, upTo: 64) { return rule }
    let count = key.utf8.count
    if count < 8 { return .tooShort(bytes: count) }
    if count == 64, !key.utf8.allSatisfy(\.isHexadecimal) { return .notHexadecimal }
    return nil
  }

  private static func rule(brokenBy text: String, upTo limit: Int) -> Rule? {
    let bytes = text.utf8
    if bytes.isEmpty { return .empty }
    if bytes.contains(0) { return .nul }
    if [bytes.first, bytes.last].contains(where: { $0?.isTrimmedBySensor == true }) {
      return .outerWhitespace
    }
    return bytes.count > limit ? .tooLong(bytes: bytes.count) : nil
  }
}

extension UInt8 {
  /// Space, tab, line feed, vertical tab, form feed, carriage return.
  fileprivate var isTrimmedBySensor: Bool { self == 0x20 || (0x09...0x0D).contains(self) }

  fileprivate var isHexadecimal: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
  }
}
