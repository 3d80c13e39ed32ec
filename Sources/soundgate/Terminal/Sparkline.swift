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
