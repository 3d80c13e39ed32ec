import Domain
import Testing
import Texts
import soundgate

@Suite("Words on the command line")
struct ArgumentsTests {
  @Test("options, flags and words are told apart")
  func split() throws {
    let arguments = try Arguments(
      ["show", "--limit", "5", "--json", "--since=2 h", "--", "--odd"],
      options: ["limit", "since"], flags: ["json"])
    #expect(arguments.words == ["show", "--odd"])
    #expect(arguments["limit"] == "5")
    #expect(arguments["since"] == "2 h")
    #expect(arguments.has("json"))
  }

  @Test("a negative number is a word, not an option")
  func negativeNumber() throws {
    #expect(try Arguments(["-30"]).words == ["-30"])
  }

  @Test("what is unknown, missing or too much is refused")
  func refusals() throws {
    #expect(throws: Arguments.Refusal.unknownOption("--pasword")) {
      try Arguments(["--pasword"], options: ["password-file"])
    }
    #expect(throws: Arguments.Refusal.missingValue("limit")) {
      try Arguments(["--limit"], options: ["limit"])
    }
    #expect(throws: Arguments.Refusal.unknownOption("-x")) { try Arguments(["-x"]) }
    let one = try Arguments(["a", "b"])
    #expect(throws: Arguments.Refusal.extraWord("b")) { try one.expect(atMost: 1) }
    #expect(throws: Arguments.Refusal.missingWord("NAME")) { try one.word(2, called: "NAME") }
  }

  @Test("B13: bytes that are not UTF-8 are refused before anything else")
  func notUTF8() {
    let broken = String(decoding: [0x53, 0xFF] as [UInt8], as: UTF8.self)
    #expect(throws: Arguments.Refusal.notUTF8(broken)) { try Arguments([broken]) }
    for words in [["--ssid", broken], ["--ssid=\(broken)"]] {
      #expect(throws: Arguments.Refusal.self) { try Arguments(words, options: ["ssid"]) }
    }
  }

  @Test("what is given twice, or means nothing with the command, is refused")
  func surplus() throws {
    #expect(throws: Arguments.Refusal.givenTwice("last")) {
      try Arguments(["--last", "1h", "--last=2h"], options: ["last"])
    }
    let arguments = try Arguments(["list", "--purge"], flags: ["purge"])
    #expect(throws: Arguments.Refusal.notWith(flag: "purge", command: "sensors list")) {
      try arguments.refuse(["yes", "purge"], with: "sensors list")
    }
  }

  @Test("B13: control characters of a name from outside are shown as escapes")
  func escapes() {
    #expect("a\u{1B}[31m\n".visible == "a\\u{1B}[31m\\u{A}")
    #expect("Été".visible == "Été")
  }
}

@Suite("Tables, sparklines and numbers")
struct TableTests {
  private let terminal = Terminal(
    language: .french, isInteractive: false, hasColour: false, width: 80)

  @Test("columns are as wide as their widest cell")
  func table() {
    var table = Table([Phrase(en: "name", fr: "nom"), Phrase(en: "level", fr: "niveau")])
    table.add(["Salle des fêtes", "34 %"])
    #expect(table.lines(terminal) == ["nom              niveau", "Salle des fêtes  34 %"])
  }

  @Test("a sparkline has one block a value and a space for a gap")
  func sparkline() {
    #expect(Sparkline.text([0, 50, 100, nil, 250, .nan]) == "▁▅█ █ ")
  }

  @Test("numbers and spans follow the language")
  func format() {
    #expect(Format.number(-6.25, decimals: 2) == Phrase(en: "-6.25", fr: "-6,25"))
    #expect(Format.number(3, decimals: 1) == Phrase(en: "3", fr: "3"))
    #expect(Format.number(-0.04, decimals: 1) == Phrase(en: "0", fr: "0"))
    #expect(Format.number(.infinity) == Phrase(en: "–", fr: "–"))
    let now = Timestamp(seconds: 1000)
    #expect(Format.ago(Timestamp(seconds: 988), now: now).french == "il y a 12 s")
    #expect(Format.ago(nil, now: now).english == "never")
  }
}
