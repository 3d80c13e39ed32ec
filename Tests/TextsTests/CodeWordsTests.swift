import Domain
import Testing
import Texts

@Suite("The words of codes")
struct CodeWordsTests {
  @Test("every code of the table has words of its own, in both languages")
  func everyCodeIsDescribed() {
    for code in Code.all {
      #expect(Code.described.contains(code), "\(code) has no words")
      for phrase in [code.words.title, code.words.cause, code.words.advice] {
        #expect(!phrase.english.isEmpty && !phrase.french.isEmpty)
        #expect(phrase.english != phrase.french, "\(code): \(phrase.english)")
      }
    }
  }

  @Test("nothing is described that no constant or sensor reason names")
  func nothingIsOrphaned() {
    let known = Set(Code.all)
    for code in Code.described where code.leg != .wifi {
      #expect(known.contains(code), "\(code) has words but is not in Code.all")
    }
  }

  @Test(
    "every reason that matters in the field has its symbol and advice",
    arguments: [
      15, 204, 202, 2, 201, 210, 211, 212, 203, 5, 4, 200, 205, 8, 6, 7, 9, 3, 12, 14, 16, 17, 18,
      19, 20, 24, 23, 34, 39, 49, 53, 206, 207, 208, 209,
    ])
  func fieldReasons(reason: Int) {
    let words = Code.wifi(reason: reason).words
    #expect(words.symbol != nil)
    #expect(words.part != nil)
  }

  @Test("P01: an unknown reason is shown as such, never as a wrong password")
  func unknownReason() {
    let words = Code.wifi(reason: 99).words
    #expect(words.title.english.contains("SG-WIFI-099"))
    #expect(words.part == .association)
    #expect(!words.cause.english.lowercased().contains("password"))
  }

  @Test("P01: “not found” also speaks of 2.4 GHz, range and weak security")
  func notFoundAdvice() {
    let words = Code.wifi(reason: 201).words
    #expect(words.title.english.contains("2.4 GHz"))
    #expect(words.cause.english.contains("out of range"))
    #expect(words.cause.english.contains("WPA2"))
  }

  @Test(
    "a language follows the locale or the header",
    arguments: [
      ("fr_FR.UTF-8", Language.french), ("fr-CH, en;q=0.5", .french), ("de, fr;q=0.8", .french),
      ("C", .english), ("", .english), ("en_GB", .english),
    ])
  func language(preference: String, expected: Language) {
    #expect(Language(preference: preference) == expected)
  }
}
