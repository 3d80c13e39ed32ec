import Domain
import Testing

@Suite("The name of a sensor")
struct SensorNameTests {
  @Test(
    "holds nothing that cannot be seen or changes how the rest is shown",
    arguments: [
      "a\u{202E}b", "\u{301}", "\u{301}a", "\u{2066}a", "a\u{200B}b", "a\u{FEFF}b", "a\u{AD}b",
      "a\u{7}b", "a\u{2028}b",
    ])
  func refused(text: String) {
    #expect(throws: SensorName.Invalid.controlCharacter) { try SensorName(text) }
  }

  @Test(
    "may hold the joiners of scripts and emoji",
    arguments: ["می\u{200C}خواهم", "क\u{94D}\u{200D}ष", "👩\u{200D}🔧 Hall"])
  func joined(text: String) throws {
    #expect(try SensorName(text).text == text)
  }

  @Test("that was taken by older rules is still read")
  func kept() {
    #expect(SensorName(kept: "a\u{202E}b")?.text == "a\u{202E}b")
    #expect(SensorName(kept: "") == nil)
  }
}
