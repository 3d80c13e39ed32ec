/// The name people give a sensor: 1 to 64 characters (at most 255 bytes of UTF-8), no control
/// characters, nothing invisible that changes how its neighbours are shown, no white space at either
/// end.
package struct SensorName: Hashable, Sendable, Codable, CustomStringConvertible {
  package let text: String

  /// Why a text is no sensor name.
  package enum Invalid: Error, Hashable, Sendable {
    case empty
    case tooLong(characters: Int)
    /// Also a line break, what turns the direction of writing or is never seen (Unicode's general
    /// category Cf) but for the two joiners, and a combining mark with nothing to stand on.
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
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: true
      case .format: !scalar.isJoiner
      default: false
      }
    }
    guard !trimmed.unicodeScalars.contains(where: isControl) else { throw .controlCharacter }
    // A mark stands on a letter; alone it would stand on what is shown before it.
    guard trimmed.unicodeScalars.first?.isMark == false else { throw .controlCharacter }
    self.text = trimmed
  }

  /// A name that was taken by the rules of its day; what is shown escapes what they have forbidden
  /// since.
  package init?(kept text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
  }

  package var description: String { text }
}

extension Unicode.Scalar {
  /// ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER: invisible, but part of how Persian and Indic words
  /// and composed emoji are written.
  package var isJoiner: Bool { value == 0x200C || value == 0x200D }

  /// Unicode's general categories Mn, Mc and Me.
  package var isMark: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }
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
