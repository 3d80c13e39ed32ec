import Host
import Texts

/// Columns of text with a heading, as wide as their widest cell.
package struct Table {
  package let headings: [Phrase]
  package var rows: [[String]] = []

  package init(_ headings: [Phrase]) { self.headings = headings }

  package mutating func add(_ cells: [String]) { rows.append(cells.map(\.visible)) }

  /// One line a row, below the headings. On a terminal that is too narrow for that, one line a cell,
  /// each after its heading, with an empty line between rows; what is piped keeps its form.
  package func lines(_ terminal: Terminal) -> [String] {
    let head = headings.map { $0[terminal.language] }
    let widths = head.indices.map { column in
      ([head] + rows).map { column < $0.count ? $0[column].cells : 0 }.max() ?? 0
    }
    let total = widths.reduce(0, +) + 2 * max(0, widths.count - 1)
    guard !terminal.isInteractive || total <= terminal.width else {
      let blocks = rows.map { row in
        zip(head, row).flatMap { terminal.labelled($0, $1) }
      }
      return Array(blocks.joined(separator: [""]))
    }
    let line = { (cells: [String]) -> String in
      cells.enumerated().map { index, cell in
        index == cells.count - 1 ? cell : cell.padded(toCells: widths[index] + 2)
      }.joined()
    }
    return [terminal.paint(line(head), .bold)] + rows.map(line)
  }

  package func print(on terminal: Terminal) {
    for line in lines(terminal) { terminal.say(line) }
  }
}
