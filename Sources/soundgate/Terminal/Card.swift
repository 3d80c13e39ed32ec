import Host
import Texts

/// What is known of one thing: a label and a value a line, the values below each other.
package struct Card {
  private var rows: [(label: Phrase, value: String)] = []

  package init() {}

  /// Adds a line; none without a value.
  package mutating func add(_ label: Phrase, _ value: String?) {
    if let value { rows.append((label, value.visible)) }
  }

  package func lines(_ terminal: Terminal) -> [String] {
    let labels = rows.map { $0.label[terminal.language] }
    let column = (labels.map(\.cells).max() ?? 0) + 2
    let widest = rows.map { column + $0.value.cells }.max() ?? 0
    guard !terminal.isInteractive || widest <= terminal.width else {
      return zip(labels, rows).flatMap { terminal.labelled($0, $1.value) }
    }
    return zip(labels, rows).map { label, row in
      let gap = String(repeating: " ", count: column - label.cells)
      return "\(terminal.paint(label, .grey))\(gap)\(row.value)"
    }
  }

  package func print(on terminal: Terminal) {
    for line in lines(terminal) { terminal.say(line) }
  }
}
