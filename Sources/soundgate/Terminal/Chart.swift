import Domain
import Texts
import Web

/// Levels as a column chart: ten rows for 0–100 %, the greatest of a bucket dotted above its mean.
struct Chart {
  private let levels: [API.Level]
  private static let height = 10

  init(_ levels: [API.Level]) { self.levels = levels }

  func print(on terminal: Terminal) {
    for row in stride(from: Self.height, through: 1, by: -1) {
      let top = row * 100 / Self.height
      let label = String(repeating: " ", count: 3 - String(top).count) + "\(top) %"
      let line = levels.map { cell($0, row: row) }.joined()
      terminal.say("\(label) │\(line)")
    }
    terminal.say("      └" + String(repeating: "─", count: levels.count))
    guard let first = levels.first, let last = levels.last else { return }
    let from = first.from.timestamp.description
    let to = last.to.timestamp.description
    let gap = max(1, levels.count - from.count - to.count)
    terminal.say("       \(from)\(String(repeating: " ", count: gap))\(to)")
    let empty = levels.count { $0.count == 0 }
    if empty > 0 {
      terminal.say(
        Phrase(
          en: "\(empty) of \(levels.count) columns have no reading",
          fr: "\(empty) colonnes sur \(levels.count) n’ont aucune mesure"))
    }
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
