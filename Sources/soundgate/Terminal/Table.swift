import Texts

/// Columns of text with a heading, as wide as their widest cell.
package struct Table {
  package let headings: [Phrase]
  package var rows: [[String]] = []

  package init(_ headings: [Phrase]) { self.headings = headings }

  package mutating func add(_ cells: [String]) { rows.append(cells.map(\.visible)) }

  package func lines(_ terminal: Terminal) -> [String] {
    let head = headings.map { $0[terminal.language] }
    let widths = head.indices.map { column in
      ([head] + rows).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let line = { (cells: [String]) -> String in
      cells.enumerated().map { index, cell in
        index == cells.count - 1
          ? cell : cell + String(repeating: " ", count: widths[index] - cell.count + 2)
      }.joined()
    }
    return [terminal.paint(line(head), .bold)] + rows.map(line)
  }

  package func print(on terminal: Terminal) {
    for line in lines(terminal) { terminal.say(line) }
  }
}

/// Levels as a row of blocks.
package enum Sparkline {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// One block per value, 0–100 %; a gap is a space.
  package static func text(_ values: [Double?]) -> String {
    String(
      values.map { value -> Character in
        guard let value, value.isFinite else { return " " }
        let level = Int((min(max(value, 0), 100) / 100 * Double(blocks.count - 1)).rounded())
        return blocks[level]
      })
  }
}
