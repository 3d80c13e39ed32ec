import Host
import Texts

/// Columns of text with a heading, as wide as their widest cell.
package struct Table {
  package let headings: [Phrase]
  package var rows: [[String]] = []
  /// The columns whose cells may be cut short.
  private let flexible: [Int]
  /// How short, in columns of the terminal.
  private static let shortest = 10

  package init(_ headings: [Phrase], flexible: [Int] = []) {
    self.headings = headings
    self.flexible = flexible
  }

  package mutating func add(_ cells: [String]) { rows.append(cells.map(\.visible)) }

  /// One line a row, below the headings. On a terminal too narrow for that, flexible columns are cut
  /// short, and if that is not enough there is one line a cell, each after its heading, with an empty
  /// line between rows; what is piped keeps its form.
  package func lines(_ terminal: Terminal) -> [String] {
    let head = headings.map { $0[terminal.language] }
    guard let widths = widths(head, within: terminal.isInteractive ? terminal.width : .max) else {
      let blocks = rows.map { row in
        zip(head, row).flatMap { terminal.labelled($0, $1) }
      }
      return Array(blocks.joined(separator: [""]))
    }
    let line = { (cells: [String]) -> String in
      cells.enumerated().map { index, cell in
        let shown =
          cell.cells > widths[index] ? cell.cut(toCells: widths[index] - 1) + "…" : cell
        return index == cells.count - 1 ? shown : shown.padded(toCells: widths[index] + 2)
      }.joined()
    }
    return [terminal.paint(line(head), .bold)] + rows.map(line)
  }

  /// How wide each column is; nil when they do not fit.
  private func widths(_ head: [String], within limit: Int) -> [Int]? {
    var widths = head.indices.map { column in
      ([head] + rows).map { column < $0.count ? $0[column].cells : 0 }.max() ?? 0
    }
    var excess = widths.reduce(0, +) + 2 * max(0, widths.count - 1) - limit
    while excess > 0 {
      guard let widest = flexible.max(by: { widths[$0] < widths[$1] }),
        widths[widest] > max(Self.shortest, head[widest].cells)
      else { return nil }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  package func print(on terminal: Terminal) {
    for line in lines(terminal) { terminal.say(line) }
  }
}
