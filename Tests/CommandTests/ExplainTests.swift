import Domain
import TestSupport
import Testing
import Texts

@Suite("The command explain")
struct ExplainTests {
  private struct Entry: Decodable, Equatable {
    let code: String
    let symbol: String?
    let leg: String?
    let title: String
    let cause: String
    let advice: String
  }

  private static let locales: [(locale: String, language: Language)] = [
    ("en_US.UTF-8", .english), ("fr_FR.UTF-8", .french), ("C", .english),
  ]

  @Test("explains every code, in the words of the locale", arguments: locales)
  func all(locale: String, language: Language) async throws {
    let run = try await Program.run(["explain", "--all", "--json"], locale: locale)
    #expect(run.status == 0)
    let expected = Code.described.map { code in
      Entry(
        code: code.description, symbol: code.words.symbol, leg: code.words.part?.rawValue,
        title: code.words.title[language], cause: code.words.cause[language],
        advice: code.words.advice[language])
    }
    #expect(try run.json([Entry].self) == expected)
  }

  @Test("says code, what happened, cause and what to do")
  func forPeople() async throws {
    let run = try await Program.run(["explain", "r=15"], locale: "fr_FR.UTF-8")
    let words = Code.wifi(reason: 15).words
    #expect(run.status == 0)
    #expect(
      run.output.split(separator: "\n").map(String.init) == [
        "SG-WIFI-015  \(words.symbol ?? "")", words.title.french,
        "maillon : \(words.part?.name.french ?? "")", "cause : \(words.cause.french)",
        "que faire : \(words.advice.french)",
      ])
  }

  @Test("P01: explains a reason that nobody has described without calling it a wrong key")
  func unknownReason() async throws {
    let run = try await Program.run(["explain", "r=99"])
    #expect(run.status == 0)
    #expect(run.output.contains("SG-WIFI-099"))
    #expect(run.output.contains("not in our table"))
  }

  @Test(
    "refuses what is no code", arguments: ["SG-BLE-999", "sg", "r=0", "r=1000", "", "SG-WIFI-"])
  func refuses(word: String) async throws {
    let run = try await Program.run(["explain", word, "--json"])
    #expect(run.status == 2)
    #expect(try run.json(PrintedError.self).error.code == Code.notFound.description)
  }
}
