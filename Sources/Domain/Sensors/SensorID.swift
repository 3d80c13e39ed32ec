/// A sensor's chip id: exactly twelve upper-case hexadecimal digits, its identity everywhere
/// (`docs/sensor-profile.md`, "Identity"). Its Bluetooth address and its name are not its identity.
package struct SensorID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  /// - Returns: nil unless `text` is exactly `[0-9A-F]{12}`.
  package init?(_ text: some StringProtocol) {
    let digits = text.utf8
    guard digits.count == 12,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0) })
    else { return nil }
    self.text = String(text)
  }

  package var description: String { text }

  package static func < (left: SensorID, right: SensorID) -> Bool { left.text < right.text }
}

extension SensorID: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let id = SensorID(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not a chip id"))
    }
    self = id
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
