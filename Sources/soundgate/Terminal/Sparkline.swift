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

  /// Half as many values: the greater of each two, so that no peak is lost.
  package static func halved(_ values: [Double?]) -> [Double?] {
    stride(from: 0, to: values.count, by: 2).map { index in
      values[index..<min(index + 2, values.count)].compactMap(\.self).max()
    }
  }
}
