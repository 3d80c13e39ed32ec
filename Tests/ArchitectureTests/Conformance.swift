import Foundation

/// A test whose sentence begins with ids: `B07, TC-IOS-BLE-06: rescans once`.
struct IDBearingTest: Hashable {
  let ids: [String]
  let sentence: String
  /// From `Tests/`: `BluetoothTests/ConnectTests.swift`.
  let file: String

  /// - Parameter name: what stands in `@Test("…")`; nil when it bears no id.
  init?(name: String, file: String) {
    guard
      let match = name.prefixMatch(
        of:
          /((?:TC-IOS-[A-Z]+-\d\d|PD-\d+ [a-z]+ \d+|[A-Z]\d\d)(?:, (?:TC-IOS-[A-Z]+-\d\d|PD-\d+ [a-z]+ \d+|[A-Z]\d\d))*): (.*)/
      )
    else { return nil }
    ids = match.output.1.split(separator: ", ").map(String.init)
    sentence = String(match.output.2)
    self.file = file
  }

  /// All of them, as they stand in the sources.
  static func all() throws -> [IDBearingTest] {
    try Tree.swiftFiles(below: "Tests").flatMap { file in
      file.text.matches(of: /(?m)^ *@Test\(\s*"((?:\\.|[^"\\])*)"/).compactMap {
        IDBearingTest(
          name: String($0.output.1).replacing(/\\(.)/) { $0.output.1 },
          file: String(file.path.dropFirst("Tests/".count)))
      }
    }
  }
}

/// The table `docs/conformance.md`: id → test → result.
enum Conformance {
  static let path = "docs/conformance.md"

  static func page(of tests: [IDBearingTest], result: (IDBearingTest) -> String) -> String {
    var page = """
      # Conformance

      Every id of the plans that concerns the gateway as it is, the tests that prove it, and how they
      ended when this page was last written by `make conformance`. A test holds the page equal to the
      sources. `TC-IOS-…` is the test plan of the sensor's app, `PD-176` the onboarding; the short ids
      are bugs others met in the field.

      | id | test | result |
      |---|---|---|

      """
    for id in PlanIDs.required + PlanIDs.welcome {
      let proofs = tests.filter { $0.ids.contains(id) }
      if proofs.isEmpty && PlanIDs.required.contains(id) { page += "| \(id) | none yet | – |\n" }
      for proof in proofs {
        let sentence = proof.sentence.replacing("|", with: "\\|")
        page += "| \(id) | \(sentence) (`\(proof.file)`) | \(result(proof)) |\n"
      }
    }
    return page
  }
}

/// How the tests of a run ended, from the event stream `swift test` writes.
struct RunResults {
  private var results: [String: String] = [:]

  init(events path: String) throws {
    var keys: [String: String] = [:]
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let record = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
      let payload = record.payload
      switch (record.kind, payload.kind) {
      case ("test", "function"):
        guard let id = payload.id, let name = payload.displayName else { continue }
        keys[id] = Self.key(name, payload.sourceLocation?.fileID ?? "")
      case ("event", "testEnded"):
        guard let key = payload.testID.flatMap({ keys[$0] }) else { continue }
        let passed = payload.messages?.allSatisfy { $0.symbol == "pass" } ?? false
        results[key] = passed ? "passed" : "failed"
      case ("event", "testSkipped"):
        if let key = payload.testID.flatMap({ keys[$0] }) { results[key] = "skipped" }
      default: break
      }
    }
  }

  subscript(test: IDBearingTest) -> String {
    let name = test.ids.joined(separator: ", ") + ": " + test.sentence
    let target = test.file.prefix { $0 != "/" }
    let file = test.file.split(separator: "/").last ?? ""
    return results[Self.key(name, "\(target)/\(file)")] ?? "not run"
  }

  private static func key(_ name: String, _ fileID: String) -> String { "\(fileID)\n\(name)" }

  private struct Record: Decodable {
    let kind: String
    let payload: Payload
  }

  private struct Payload: Decodable {
    let kind: String?
    let id: String?
    let displayName: String?
    let sourceLocation: Location?
    let testID: String?
    let messages: [Message]?
  }

  private struct Location: Decodable { let fileID: String }
  private struct Message: Decodable { let symbol: String }
}
