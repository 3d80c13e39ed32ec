import Domain
import Host
import Testing
import Texts
import Web
import soundgate

@Suite("What is printed in columns")
struct NarrowTerminalTests {
  private let narrow = Terminal(
    language: .english, isInteractive: true, hasColour: false, width: 40)
  private let pipe = Terminal(
    language: .english, isInteractive: false, hasColour: false, width: 40)

  private var table: Table {
    var table = Table([
      Phrase(en: "NAME", fr: "NOM"), Phrase(en: "LEVEL", fr: "NIVEAU"),
      Phrase(en: "WHAT", fr: "QUOI"),
    ])
    table.add(["会議室", "34 %", "quiet"])
    table.add(["Hall", "91 %", "Hall: Too loud — 91 % (> 80 %) for a long while"])
    return table
  }

  @Test("lines up also where signs are two cells wide")
  func wideSigns() {
    #expect(
      table.lines(pipe).prefix(2) == ["NAME    LEVEL  WHAT", "会議室  34 %   quiet"])
  }

  @Test("is a block a row where the terminal is too narrow, broken between words")
  func blocks() {
    #expect(
      table.lines(narrow) == [
        "NAME: 会議室", "LEVEL: 34 %", "WHAT: quiet", "",
        "NAME: Hall", "LEVEL: 91 %", "WHAT:", "  Hall: Too loud — 91 % (> 80 %) for a",
        "  long while",
      ])
    var french = narrow
    french.language = .french
    #expect(table.lines(french).first == "NOM : 会議室")
  }

  @Test("stays a line a row where it is piped or finds room")
  func lines() {
    var wide = narrow
    wide.width = 80
    #expect(table.lines(pipe).count == 3)
    #expect(table.lines(wide) == table.lines(pipe))
  }

  @Test("cuts what may be cut before it gives up the columns")
  func flexible() {
    var table = Table(
      [
        Phrase(en: "NAME", fr: "NOM"), Phrase(en: "CHIP ID", fr: "PUCE"),
        Phrase(en: "LAST ALERT", fr: "DERNIÈRE ALERTE"),
      ], flexible: [0, 2])
    table.add(["Stairwell, 2nd floor", "332211CCBBAA", "Too loud (12 s ago)"])
    var terminal = narrow
    terminal.width = 44
    #expect(table.lines(terminal).allSatisfy { $0.cells <= 44 })
    #expect(table.lines(terminal).count == 2)
    #expect(table.lines(terminal)[1].contains("…"))
    terminal.width = 30
    #expect(table.lines(terminal).first == "NAME: Stairwell, 2nd floor")
  }

  @Test("halves a sparkline without losing a peak")
  func halved() {
    #expect(Sparkline.halved([1, 90, nil, 3, nil, nil, 7]) == [90, 3, nil, 7])
  }

  @Test("of one thing has its values below each other, or below their labels")
  func card() {
    var card = Card()
    card.add(Phrase(en: "name", fr: "nom"), "会議室")
    card.add(Phrase(en: "firmware", fr: "firmware"), nil)
    card.add(Phrase(en: "last hour", fr: "dernière heure"), "▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁")
    #expect(card.lines(pipe).first == "name       会議室")
    #expect(
      card.lines(narrow) == [
        "name: 会議室", "last hour:", "  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁",
      ])
  }

  @Test("as a chart fits the terminal, its axis too", arguments: [40, 50, 60, 80, 200])
  func chart(width: Int) throws {
    var terminal = narrow
    terminal.width = width
    let start = try #require(Timestamp("2026-11-30T07:00:00Z"))
    let levels = (0..<Chart.buckets(on: terminal)).map { index in
      API.Level(
        from: start + .seconds(index * 60), to: start + .seconds(index * 60 + 60), count: 1,
        mean: 40, min: 30, max: 100)
    }
    let lines = Chart(levels).lines(terminal)
    #expect(lines.count == 12)
    #expect(lines.allSatisfy { $0.cells <= width }, "\(lines)")
    #expect(lines.last?.contains("11-30T07:00") == true)
    #expect(lines.last?.contains("2026-11-30T07:00:00.000Z") == (width >= 60))
  }

  @Test("as a chart says how many columns are empty, one or several")
  func emptyColumns() throws {
    let start = try #require(Timestamp("2026-11-30T07:00:00Z"))
    let level = { (count: Int) in
      API.Level(
        from: start, to: start + .seconds(60), count: count, mean: count > 0 ? 40 : nil, min: nil,
        max: count > 0 ? 50 : nil)
    }
    let one = Chart([level(0), level(1)]).lines(narrow)
    #expect(one.last == "1 of 2 columns has no reading")
    let two = Chart([level(0), level(0)]).lines(narrow)
    #expect(two.last == "2 of 2 columns have no reading")
  }
}
