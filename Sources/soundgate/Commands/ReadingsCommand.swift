import Domain
import Texts
import Web

/// `soundgate readings`: the history of one sensor.
enum ReadingsCommand: Command {
  static let name = "readings"
  static let summary = Phrase(
    en: "the readings of a sensor: table, csv, json or chart",
    fr: "les mesures d’un capteur : tableau, csv, json ou graphique")
  static let usage = Phrase(
    en: """
      usage: soundgate readings CHIP [--from TIME] [--to TIME] [--last SPAN] [--limit N]
                                     [--format table|csv|json|chart] [--json]

      TIME is such as 2026-11-30T07:00:00Z, SPAN such as 15min, 2h or 7d. The newest comes first;
      csv and json hold the whole span unless --limit is given.

      examples:
        soundgate readings 332211CCBBAA --last 2h --format chart
        soundgate readings 332211CCBBAA --last 7d --format csv > week.csv
      """,
    fr: """
      usage : soundgate readings PUCE [--from DATE] [--to DATE] [--last DURÉE] [--limit N]
                                      [--format table|csv|json|chart] [--json]

      DATE s’écrit 2026-11-30T07:00:00Z, DURÉE 15min, 2h ou 7d. La plus récente vient d’abord ; csv
      et json donnent tout l’intervalle sauf avec --limit.

      exemples :
        soundgate readings 332211CCBBAA --last 2h --format chart
        soundgate readings 332211CCBBAA --last 7d --format csv > semaine.csv
      """)
  static let options: Set<String> = ["from", "to", "last", "limit", "format"]

  enum Form: String, CaseIterable { case table, csv, json, chart }

  static func run(_ call: Call) async throws -> Int32 {
    try call.arguments.expect(atMost: 1)
    let chip = try call.chip(at: 0)
    let form = try self.form(call)
    let span = try Span(call.arguments)
    let limit = try call.arguments.number("limit", in: 1...1_000_000)
    let gateway = Gateway(call)
    if form == .chart, limit != nil {
      throw Arguments.Refusal.contradiction("--limit", "--format chart")
    }
    guard form != .chart else {
      let buckets = Chart.buckets(on: call.terminal)
      let levels: [API.Level] = try await gateway.get(
        "/sensors/\(chip)/levels?buckets=\(buckets)\(span.query)")
      Chart(levels).print(on: call.terminal)
      return 0
    }
    let wanted = limit ?? (form == .table ? 20 : .max)
    var table = Table(headings)
    var all: [API.Reading] = []
    var cursor = ""
    var left = wanted
    repeat {
      let page: API.Readings = try await gateway.get(
        "/sensors/\(chip)/readings?limit=\(min(left, 1000))\(span.query)\(cursor)")
      if form == .csv, cursor.isEmpty { call.terminal.say(columns.joined(separator: ",")) }
      for reading in page.readings {
        switch form {
        case .csv: call.terminal.say(cells(reading).joined(separator: ","))
        case .table: table.add(cells(reading, call.terminal.language))
        default: all.append(reading)
        }
      }
      left -= page.readings.count
      cursor = page.next.map { "&before=\($0)" } ?? ""
    } while !cursor.isEmpty && left > 0
    if form == .table { table.print(on: call.terminal) }
    if form == .json { call.terminal.say(String(decoding: try API.encode(all), as: UTF8.self)) }
    return 0
  }

  private static func form(_ call: Call) throws -> Form {
    guard let word = call.arguments["format"] else { return call.wantsJSON ? .json : .table }
    guard let form = Form(rawValue: word) else {
      let names = Form.allCases.map(\.rawValue).joined(separator: ", ")
      throw Arguments.Refusal.badValue(
        option: "--format", value: word.visible, expected: Phrase(en: names, fr: names))
    }
    guard !call.wantsJSON || form == .json else {
      throw Arguments.Refusal.contradiction("--json", "--format \(form)")
    }
    return form
  }

  private static let columns = [
    "at", "dated", "sound_pct", "sound_avg", "sound_min", "sound_max", "dbfs_avg", "uptime", "boot",
  ]

  /// The columns for people; levels are in %, `uptime` in seconds.
  private static let headings = [
    Phrase(en: "WHEN", fr: "QUAND"), Phrase(en: "DATED", fr: "DATÉE"),
    Phrase(en: "LEVEL %", fr: "NIVEAU %"), Phrase(en: "AVG", fr: "MOY"),
    Phrase(en: "MIN", fr: "MIN"), Phrase(en: "MAX", fr: "MAX"), Phrase(en: "dBFS", fr: "dBFS"),
    Phrase(en: "UPTIME s", fr: "MARCHE s"), Phrase(en: "BOOT", fr: "DÉPART"),
  ]

  private static func cells(_ reading: API.Reading, _ language: Language) -> [String] {
    var cells = cells(reading)
    cells[1] = Format.yesNo(reading.dated)[language]
    return cells
  }

  private static func cells(_ reading: API.Reading) -> [String] {
    let text = { (value: Int?) in value.map(String.init) ?? "" }
    return [
      reading.at.timestamp.description, String(reading.dated), String(reading.soundPct),
      text(reading.soundAvg), text(reading.soundMin), text(reading.soundMax), text(reading.dbfsAvg),
      String(reading.uptime), String(reading.boot),
    ]
  }
}

/// A span of time as the options name it.
struct Span {
  /// The query's part for it, with a leading `&`; empty for the daemon's own default.
  let query: String

  init(_ arguments: Arguments) throws(Arguments.Refusal) {
    guard arguments["last"] == nil || arguments["from"] == nil else {
      throw .contradiction("--last", "--from")
    }
    var parts: [(String, Timestamp)] = []
    if let text = arguments["last"] {
      guard let span = Duration(words: text) else {
        throw .badValue(
          option: "--last", value: text.visible,
          expected: Phrase(en: "such as 15min, 2h or 7d", fr: "par exemple 15min, 2h ou 7d"))
      }
      parts.append(("from", .now - span))
    }
    for option in ["from", "to"] {
      guard let text = arguments[option] else { continue }
      guard let moment = Timestamp(text) else {
        throw .badValue(
          option: "--\(option)", value: text.visible,
          expected: Phrase(
            en: "a date and time such as 2026-11-30T07:00:00Z",
            fr: "une date et une heure comme 2026-11-30T07:00:00Z"))
      }
      if option == "to", let from = parts.first?.1, moment < from {
        throw .badValue(
          option: "--to", value: text.visible,
          expected: Phrase(
            en: "a moment after the beginning, \(from)", fr: "une date après le début, \(from)"))
      }
      parts.append((option, moment))
    }
    query = parts.map { "&\($0.0)=\($0.1.description.percentEncoded)" }.joined()
  }
}

extension Duration {
  /// `90s`, `15min`, `2h`, `7d`.
  package init?(words text: String) {
    let units: [(String, Int)] = [
      ("min", 60), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("j", 86_400),
    ]
    for (unit, seconds) in units where text.hasSuffix(unit) {
      guard let count = Int(text.dropLast(unit.count)), (1...1_000_000).contains(count) else {
        return nil
      }
      self = .seconds(count * seconds)
      return
    }
    return nil
  }
}
