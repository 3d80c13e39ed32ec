import Domain
import Texts
import Web

/// Levels as a column chart: ten rows for 0–100 %, the greatest of a bucket dotted above its mean.
package struct Chart {
  private let levels: [API.Level]
  private static let height = 10
  /// Columns before the plot: the level and the axis.
  private static let margin = 7

  package init(_ levels: [API.Level]) { self.levels = levels }

  /// How many columns of levels find room on a terminal, with some air at its right edge.
  package static func buckets(on terminal: Terminal) -> Int {
    max(20, min(terminal.width - margin - 3, 500))
  }

  package func lines(_ terminal: Terminal) -> [String] {
    var lines = stride(from: Self.height, through: 1, by: -1).map { row in
      let top = row * 100 / Self.height
      let label = String(repeating: " ", count: 3 - String(top).count) + "\(top) %"
      return "\(label) │\(levels.map { cell($0, row: row) }.joined())"
    }
    lines.append("      └" + String(repeating: "─", count: levels.count))
    if let first = levels.first?.from.timestamp, let last = levels.last?.to.timestamp {
      lines.append(String(repeating: " ", count: Self.margin) + axis(from: first, to: last))
    }
    let empty = levels.count { $0.count == 0 }
    if empty > 0 { lines.append(Self.gaps(empty, of: levels.count)[terminal.language]) }
    return lines
  }

  package func print(on terminal: Terminal) {
    for line in lines(terminal) { terminal.say(line) }
  }

  /// Both ends of the time axis, as exact as there is room: to the millisecond, to the minute, or
  /// without the year. All are UTC.
  private func axis(from first: Timestamp, to last: Timestamp) -> String {
    let forms: [(Timestamp) -> String] = [
      { $0.description }, { "\($0.description.prefix(16))Z" },
      { "\($0.description.dropFirst(5).prefix(11))Z" },
    ]
    let ends = forms.map { form in (form(first), form(last)) }
    let (from, to) =
      ends.first { $0.0.count + 1 + $0.1.count <= levels.count } ?? ends[ends.count - 1]
    let gap = max(1, levels.count - from.count - to.count)
    return "\(from)\(String(repeating: " ", count: gap))\(to)"
  }

  private static func gaps(_ empty: Int, of all: Int) -> Phrase {
    Phrase(
      en: "\(empty) of \(all) columns \(empty == 1 ? "has" : "have") no reading",
      fr: empty == 1
        ? "1 colonne sur \(all) n’a aucune mesure"
        : "\(empty) colonnes sur \(all) n’ont aucune mesure")
  }

  private func cell(_ level: API.Level, row: Int) -> String {
    guard let mean = level.mean, let max = level.max else { return " " }
    let unit = 100.0 / Double(Self.height)
    let floor = Double(row - 1) * unit
    if mean >= floor + unit { return "█" }
    if mean > floor || row == 1 {
      let eighths = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
      return eighths[min(7, Swift.max(0, Int((mean - floor) / unit * 8)))]
    }
    return max > floor ? "·" : " "
  }
}
