import Foundation
import Testing
import soundgate

@Suite("The configuration that is installed")
struct ShippedConfigurationTests {
  /// Keys that have no default: the file shows an example.
  private static let examples: Set<String> = [
    "name", "timezone", "adapter", "bus", "sensor-address", "ca", "user", "password-file",
  ]

  private func shipped() throws -> String {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "systemd/soundgate.conf"), encoding: .utf8)
  }

  /// The file with its `#key = value` lines made real.
  private func uncommented(where isKept: (String) -> Bool = { _ in true }) throws -> String {
    try shipped().split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      guard let match = line.wholeMatch(of: /#([a-z-]+) = .*/) else { return String(line) }
      return isKept(String(match.output.1)) ? String(line.dropFirst()) : nil
    }.joined(separator: "\n")
  }

  @Test("changes nothing as it is installed")
  func isInert() throws {
    #expect(
      try Configuration(parsing: try shipped(), file: "soundgate.conf") == Configuration())
  }

  @Test("shows every key, with a value that is taken")
  func showsEveryKey() throws {
    let text = try uncommented()
    _ = try Configuration(parsing: text, file: "soundgate.conf")
    let shown = INI(parsing: text).entries.map { "\($0.section).\($0.key)" }
    #expect(shown.sorted() == Configuration.keys.keys.sorted())
  }

  @Test("shows the defaults, but for its examples")
  func showsDefaults() throws {
    let text = try uncommented { !Self.examples.contains($0) }
    #expect(try Configuration(parsing: text, file: "soundgate.conf") == Configuration())
  }
}
