/// The name people give a sensor: 1 to 64 characters (at most 255 bytes of UTF-8), no control
/// characters, no white space at either end.
package struct SensorName: Hashable, Sendable, Codable, CustomStringConvertible {
  package let text: String

  /// Why a text is no sensor name.
  package enum Invalid: Error, Hashable, Sendable {
    case empty
    case tooLong(characters: Int)
    case controlCharacter
  }

  /// White space at both ends is dropped first.
  package init(_ text: some StringProtocol) throws(Invalid) {
    let trimmed = text.trimmingWhitespace()
    guard !trimmed.isEmpty else { throw .empty }
    guard trimmed.count <= 64, trimmed.utf8.count <= 255 else {
      throw .tooLong(characters: trimmed.count)
    }
    let isControl = { (scalar: Unicode.Scalar) in
      scalar.properties.generalCategory == .control
        || scalar.properties.generalCategory == .lineSeparator
        || scalar.properties.generalCategory == .paragraphSeparator
    }
    guard !trimmed.unicodeScalars.contains(where: isControl) else { throw .controlCharacter }
    self.text = trimmed
  }

  package var description: String { text }
}

extension StringProtocol {
  /// The text without white space at either end.
  package func trimmingWhitespace() -> String {
    var rest = self[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
