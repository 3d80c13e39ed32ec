import Domain
import Texts

/// A configuration file as written: sections of `key = value` lines, in the form that iwd, BlueZ and
/// systemd use. `#` and `;` start a comment line.
package struct INI {
  package struct Entry: Equatable {
    package let section: String
    package let key: String
    package let value: String
    package let line: Int
  }

  /// What is wrong, and on which line (1-based).
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let line: Int
    package let message: Phrase

    package var description: String { "line \(line): \(message.english)" }
  }

  package var entries: [Entry] = []
  package var problems: [Problem] = []

  package init(parsing text: String) {
    var section = ""
    var seen: [String: Int] = [:]
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, raw) in lines.enumerated() {
      let line = index + 1
      let content = raw.trimmingWhitespace()
      if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { continue }
      if content.hasPrefix("[") {
        guard content.hasSuffix("]"), content.count > 2 else {
          problems.append(
            Problem(
              line: line,
              message: Phrase(
                en: "a section is written [name]", fr: "une section s’écrit [nom]")))
          continue
        }
        section = String(content.dropFirst().dropLast())
        continue
      }
      guard let equals = content.firstIndex(of: "=") else {
        problems.append(
          Problem(
            line: line,
            message: Phrase(
              en: "expected key = value, or [section]",
              fr: "clé = valeur attendu, ou [section]")))
        continue
      }
      let key = content[..<equals].trimmingWhitespace()
      let value = content[content.index(after: equals)...].trimmingWhitespace()
      guard !section.isEmpty else {
        problems.append(
          Problem(
            line: line,
            message: Phrase(
              en: "“\(key)” stands before any [section]",
              fr: "« \(key) » précède toute [section]")))
        continue
      }
      if let first = seen["\(section).\(key)"] {
        problems.append(
          Problem(
            line: line,
            message: Phrase(
              en: "“\(key)” was already given on line \(first)",
              fr: "« \(key) » est déjà donné à la ligne \(first)")))
        continue
      }
      seen["\(section).\(key)"] = line
      entries.append(Entry(section: section, key: key, value: value, line: line))
    }
  }
}
