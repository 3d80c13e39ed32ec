import Foundation
import Testing
import soundgate

/// A row of the tables in `docs/configuration.md`.
private struct Row {
  let key: String
  /// As printed; a value in backquotes, a bare number, or words.
  let fallback: String

  static func all() throws -> [Row] {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
    return page.matches(of: /(?m)^\| `([a-z]+\.[a-z-]+)` \| ([^|]+) \|/)
      .filter { !$0.output.1.hasPrefix("soundgate.") }
      .map { Row(key: String($0.output.1), fallback: String($0.output.2)) }
  }

  /// The default, when it is a value and not a description.
  var value: String? {
    if let match = fallback.wholeMatch(of: /`([^`]+)`/) { return String(match.output.1) }
    return fallback.wholeMatch(of: /[0-9.]+/).map { String($0.output) }
  }

  /// The key and its value as lines of a file.
  func lines(_ value: String) -> String {
    let parts = key.split(separator: ".")
    return "[\(parts[0])]\n\(parts[1]) = \(value)\n"
  }
}

@Suite("The page on configuration")
struct ConfigurationPageTests {
  @Test("describes every key once, and no other")
  func describesEveryKey() throws {
    #expect(try Row.all().map(\.key).sorted() == Configuration.keys.keys.sorted())
  }

  @Test("gives the true defaults")
  func givesTheDefaults() throws {
    let given = try Row.all().compactMap { row in row.value.map(row.lines) }
    #expect(given.count > 15)
    let text = given.joined()
    #expect(try Configuration(parsing: text, file: "page") == Configuration())
  }
}
