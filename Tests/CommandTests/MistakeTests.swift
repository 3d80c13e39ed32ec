import Domain
import TestSupport
import Testing

/// No daemon is there: each is refused before one is asked.
@Suite("A mistake on the command line")
struct MistakeTests {
  @Test(
    "is called by its name",
    arguments: [
      (["help", "nosuch"], "there is no command “nosuch”"),
      (["--help", "nosuch"], "there is no command “nosuch”"),
      (["status", "--json=1"], "option --json takes no value"),
      (["rules", "add", "332211CCBBAA", "level"], "--threshold is missing"),
      (["rules", "add", "332211CCBBAA"], "TEMPLATE is missing"),
      (["rules", "show", ""], "RULE is empty"),
      (["alerts", "show", ""], "ALERT is empty"),
      (["enrolments", "cancel", ""], "ID is empty"),
      (
        ["readings", "332211CCBBAA", "--json", "--format", "csv"],
        "--json and --format csv exclude each other"
      ),
      (
        ["readings", "332211CCBBAA", "--last", "2h", "--from", "2026-11-30T07:00:00Z"],
        "--last and --from exclude each other"
      ),
      (
        [
          "readings", "332211CCBBAA", "--from", "2026-11-30T07:00:00Z", "--to",
          "2026-11-30T06:00:00Z",
        ],
        "--to = 2026-11-30T06:00:00Z: expected a moment after the beginning, 2026-11-30T07:00:00"
      ),
    ])
  func named(words: [String], sentence: String) async throws {
    let run = try await Program.run(words)
    #expect(run.status == 2)
    let text = words.contains("--json") ? run.output : run.errors
    #expect(text.contains(sentence), "\(run.words)")
  }

  @Test("is none where a page is asked for, before or after the command")
  func pages() async throws {
    for words in [["help", "rules"], ["rules", "-h"], ["rules", "show", "-h"]] {
      let run = try await Program.run(words)
      #expect(run.status == 0)
      #expect(run.output.contains("usage: soundgate rules"), "\(words)")
    }
    let run = try await Program.run(["networks", "forget", "--", "-h"])
    #expect(run.status == Code.daemonUnreachable.leg.exitStatus)
  }

  @Test(
    "cannot drive the terminal", arguments: [["status", "--\u{1B}[31m"], ["status", "\u{1B}"]])
  func escapes(words: [String]) async throws {
    let run = try await Program.run(words)
    #expect(run.status == 2)
    #expect(run.errors.contains("\\u{1B}"))
    #expect(!run.errors.contains("\u{1B}"))
  }
}
