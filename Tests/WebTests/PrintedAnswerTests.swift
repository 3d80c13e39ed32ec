import Domain
import Foundation
import TestSupport
import Testing
import Texts
import Web

/// The built program against the real routes over a socket.
@Suite("The API's answers, as the commands print them", .timeLimit(.minutes(1)))
struct PrintedAnswerTests {
  private let bench: APIBench

  init() throws { bench = try APIBench() }

  private func withSocket(_ body: (String) async throws -> Void) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("control.sock")
    let router = bench.router
    let server = Server { await router.answer($0) }
    try await server.start(path: path, group: nil)
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await body(path))
    } catch {
      outcome = .failure(error)
    }
    await server.stop()
    try outcome.get()
  }

  @Test("say that an enrolment was cancelled, and call that no problem")
  func cancelled() async throws {
    let begun: API.Enrolment = try await bench.ask("POST", "/enrolments").json()
    _ = try await bench.ask("POST", "/enrolments/\(begun.id)/cancel")
    try await withSocket { socket in
      let english = try await Program.run(["enrolments"], socket: socket)
      #expect(english.output.contains("cancelled"))
      #expect(!english.words.contains("SG-HOST-004"))
      #expect(!english.output.contains("failed"))
      let french = try await Program.run(
        ["enrolments", "show", begun.id], language: .french, socket: socket)
      #expect(french.status == 0 && french.errors.isEmpty)
      for word in ["annulé", "recherche", "début", "annulation"] {
        #expect(french.output.contains(word), "\(word): \(french.output)")
      }
      for word in ["scanning", "begin", "cancel", "failed"] {
        #expect(!french.output.contains(word), "\(word): \(french.output)")
      }
    }
  }

  @Test("are French in French: severities, numbers, parts and the heads of readings")
  func french() async throws {
    try await bench.enrol()
    try await bench.read([40])
    try await bench.alert()
    try await withSocket { socket in
      let alerts = try await Program.run(["alerts"], language: .french, socket: socket)
      #expect(alerts.output.contains("élevée") && !alerts.output.contains("high"))
      #expect(alerts.output.hasSuffix("\n1 alerte non lue\n"))
      let status = try await Program.run(["status"], language: .french, socket: socket)
      #expect(status.output.contains("alertes non lues : 1"))
      #expect(!status.output.contains(#/\w: /#), "\(status.output)")
      let words = ["readings", APIBench.chip.text, "--from", "2026-01-01T00:00:00Z"]
      let table = try await Program.run(words, language: .french, socket: socket)
      #expect(table.output.hasPrefix("QUAND"))
      #expect(table.output.contains(" oui ") && !table.output.contains("true"))
      let machine = try await Program.run(
        words + ["--format", "csv"], language: .french, socket: socket)
      #expect(machine.output.hasPrefix("at,dated,sound_pct"))
      #expect(machine.output.contains(",true,40,"))
    }
  }

  @Test("agree in number in English")
  func english() async throws {
    try await bench.enrol()
    try await bench.alert()
    try await withSocket { socket in
      let alerts = try await Program.run(["alerts"], socket: socket)
      #expect(alerts.output.hasSuffix("\n1 unread alert\n"))
    }
  }

  @Test("refuse an empty label by name, and say both numbers of a threshold they change")
  func rules() async throws {
    try await bench.enrol()
    try await withSocket { socket in
      let add = ["rules", "add", APIBench.chip.text, "level", "--threshold"]
      let unnamed = try await Program.run(add + ["80", "--label", ""], socket: socket)
      #expect(unnamed.status == 2)
      #expect(unnamed.errors.contains("the label is empty"), "\(unnamed.errors)")
      let bounded = try await Program.run(add + ["1e308"], socket: socket)
      #expect(bounded.status == 0)
      #expect(
        bounded.errors.contains("The threshold 1e308 % is out of bounds; it was set to 100 %."),
        "\(bounded.words)")
    }
  }

  @Test("say that nothing was removed when the person says no")
  func kept() async throws {
    try await bench.enrol()
    try await withSocket { socket in
      let run = try await Program.run(
        ["sensors", "remove", APIBench.chip.text], socket: socket, input: "n\n")
      #expect(run.status == 2)
      #expect(run.errors.hasSuffix("Nothing was removed.\n"))
      let left: [API.Sensor] = try await bench.ask("GET", "/sensors").json()
      #expect(left.count == 1)
    }
  }

  @Test("refuse a name that would turn the line around")
  func direction() async throws {
    try await bench.enrol()
    try await withSocket { socket in
      let run = try await Program.run(
        ["sensors", "rename", APIBench.chip.text, "llaH\u{202E}"], socket: socket)
      #expect(run.status == 2)
      #expect(run.errors.contains("[SG-INPUT-012]"), "\(run.errors)")
    }
  }

  @Test("are with --json one document on one line, its keys sorted, whatever the command")
  func json() async throws {
    try await bench.enrol()
    try await bench.read([40, 50])
    try await bench.alert()
    _ = try await bench.ask("POST", "/enrolments")
    let chip = APIBench.chip.text
    try await withSocket { socket in
      for words in [
        ["status"], ["sensors"], ["sensors", "show", chip], ["sensors", "unclaimed"],
        ["networks"], ["enrolments"], ["rules"], ["rules", "templates"], ["alerts"], ["backend"],
        ["readings", chip], ["explain", "r=15"], ["sensors", "nosuch"],
        ["sensors", "remove", chip, "--yes"],
      ] {
        let run = try await Program.run(words + ["--json"], socket: socket)
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 2 && lines.last?.isEmpty == true, "\(words): \(run.output)")
        let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
        let sorted = try JSONSerialization.data(
          withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(keys(String(decoding: sorted, as: UTF8.self)) == keys(run.output), "\(words)")
      }
    }
  }

  /// The keys of a document in their order.
  private func keys(_ document: String) -> [String] {
    document.matches(of: /"([a-zA-Z_]+)":/).map { String($0.output.1) }
  }
}
