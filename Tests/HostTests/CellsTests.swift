import Host
import Testing

@Suite("The width of text on a terminal")
struct CellsTests {
  @Test(
    "is counted in cells, not in characters",
    arguments: [
      ("", 0), ("Hall", 4), ("Été", 3), ("E\u{301}te\u{301}", 3), ("会議室", 6), ("🔊", 2),
      ("▁▅█", 3), ("a\u{200D}b", 2), ("●", 1),
    ])
  func cells(text: String, expected: Int) {
    #expect(text.cells == expected)
  }

  @Test("is what a text is cut to, between signs and never within one")
  func cut() {
    #expect("会議室".cut(toCells: 5) == "会議")
    #expect("e\u{301}e\u{301}e".cut(toCells: 2) == "e\u{301}e\u{301}")
    #expect("Hall".cut(toCells: 4) == "Hall")
    #expect("Hall".cut(toCells: 0).isEmpty)
  }

  @Test("is what a text is filled up to")
  func padded() {
    #expect("会議".padded(toCells: 6) == "会議  ")
    #expect("会議室".padded(toCells: 2) == "会議室")
  }
}
