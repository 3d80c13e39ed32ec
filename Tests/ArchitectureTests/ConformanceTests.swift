import Foundation
import Testing

@Suite("The conformance table")
struct ConformanceTests {
  @Test("has a test for every id that concerns the gateway as it is")
  func everyIDHasATest() throws {
    let borne = Set(try IDBearingTest.all().flatMap(\.ids))
    let missing = PlanIDs.required.filter { !borne.contains($0) }
    #expect(missing.isEmpty, "no test bears \(missing.joined(separator: ", "))")
  }

  @Test("lists every id a test bears")
  func everyBorneIDIsListed() throws {
    let listed = Set(PlanIDs.required + PlanIDs.welcome)
    for test in try IDBearingTest.all() {
      let unknown = test.ids.filter { !listed.contains($0) }
      #expect(unknown.isEmpty, "\(test.file) bears \(unknown)")
    }
  }

  @Test("says on paper what the sources say, every test passed")
  func thePageIsCurrent() throws {
    let expected = Conformance.page(of: try IDBearingTest.all()) { _ in "passed" }
    let page = try Tree.text(of: Conformance.path)
    #expect(page == expected, "write \(Conformance.path) anew: make test conformance")
  }

  @Test("reads how a run ended")
  func readsARun() throws {
    let events = FileManager.default.temporaryDirectory
      .appending(path: "conformance-\(UUID().uuidString).jsonl")
    defer { try? FileManager.default.removeItem(at: events) }
    func test(_ number: Int) -> String {
      """
      {"kind":"test","payload":{"kind":"function","id":"\(number)","displayName":"B0\(number): does",\
      "sourceLocation":{"fileID":"XTests/A.swift"}}}
      """
    }
    func event(_ number: Int, _ kind: String, _ symbol: String) -> String {
      """
      {"kind":"event","payload":{"kind":"\(kind)","testID":"\(number)",\
      "messages":[{"symbol":"\(symbol)"}]}}
      """
    }
    try [
      test(1), test(2), test(3), test(4), event(1, "testEnded", "pass"),
      event(2, "testEnded", "fail"), event(3, "testSkipped", "skip"),
    ].joined(separator: "\n").write(to: events, atomically: true, encoding: .utf8)

    let results = try RunResults(events: events.path)
    let tests = (1...4).compactMap {
      IDBearingTest(name: "B0\($0): does", file: "XTests/Inner/A.swift")
    }
    #expect(tests.map { results[$0] } == ["passed", "failed", "skipped", "not run"])
  }
}

/// Not a test but the pen of `make conformance`, which alone sets the variable.
@Suite("The record of conformance")
struct ConformanceRecord {
  static let events = ProcessInfo.processInfo.environment["SOUNDGATE_CONFORMANCE"]

  @Test("is written from the last run", .enabled(if: events != nil))
  func write() throws {
    let results = try RunResults(events: try #require(Self.events))
    let page = Conformance.page(of: try IDBearingTest.all()) { results[$0] }
    try page.write(
      to: Tree.root.appending(path: Conformance.path), atomically: true, encoding: .utf8)
  }
}
