import Host
import Texts

extension Terminal {
  /// A value with its label before it. Where the terminal is too narrow for both on one line, the value
  /// goes below, broken between words.
  package func labelled(_ label: String, _ value: String) -> [String] {
    let head = Format.label(label)[language]
    let painted = paint(head, .bold)
    guard isInteractive, head.cells + 1 + value.cells > width else {
      return ["\(painted) \(value)"]
    }
    return [painted] + Self.broken(value, toCells: width - 2).map { "  \($0)" }
  }

  private static func broken(_ text: String, toCells room: Int) -> [String] {
    guard text.cells > room else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if line.isEmpty {
        line = String(word)
      } else if line.cells + 1 + String(word).cells <= room {
        line += " \(word)"
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + [line]
  }
}
