/// A complete IPv4 address: four decimal numbers of 0 to 255 without leading zeros.
package struct IPv4Address: Hashable, Sendable, Codable, CustomStringConvertible {
  package let text: String

  /// - Returns: nil unless the whole of `text` is one; a cut one is none.
  package init?<Text: StringProtocol>(_ text: Text) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    let isOctet = { (number: Text.SubSequence) in
      (1...3).contains(number.utf8.count) && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
        && (number.utf8.count == 1 || number.utf8.first != 0x30) && UInt8(number) != nil
    }
    guard numbers.count == 4, numbers.allSatisfy(isOctet) else { return nil }
    self.text = String(text)
  }

  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let address = IPv4Address(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not an IPv4 address"))
    }
    self = address
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package var description: String { text }
}
