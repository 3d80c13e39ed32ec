import Testing

@Suite("The tests")
struct TestRuleTests {
  /// All but this target's, whose patterns would find themselves.
  static func files() throws -> [SwiftFile] {
    try Tree.swiftFiles(below: "Tests").filter { $0.target != "ArchitectureTests" }
  }

  @Test("see only what the package offers")
  func noTestableImports() throws {
    for file in try Self.files() {
      let lines = file.lines(matching: /@testable\b/)
      #expect(lines.isEmpty, "@testable in \(file), lines \(lines)")
    }
  }

  @Test("never sleep: time is a parameter, events are waited for")
  func noSleeping() throws {
    let sleep =
      /\bTask\.sleep\b|\bThread\.sleep\b|\busleep\(|\bnanosleep\(|(?:^|[=(]|await ) *sleep\(/
    for file in try Self.files() {
      let lines = file.lines(matching: sleep)
      #expect(lines.isEmpty, "\(file) sleeps, lines \(lines)")
    }
  }

  @Test("can fail: no file of tests is without an expectation")
  func everyFileExpects() throws {
    for file in try Self.files() where file.code.contains(/@Test\b/) {
      #expect(
        file.code.contains(/#expect\b|#require\b|\bconfirmation\(|\bIssue\.record\(/),
        "\(file) expects nothing")
    }
  }

  @Test("are sentences")
  func testsAreNamed() throws {
    for file in try Self.files() {
      let lines = file.lines(matching: /@Test(?!\()|@Suite(?!\()/)
      #expect(lines.isEmpty, "a test or suite without a sentence in \(file), lines \(lines)")
    }
  }
}
