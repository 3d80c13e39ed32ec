import CLinux
import Glibc

extension String {
  /// How many columns of a terminal the text takes, by the C library's table (wcwidth(3)): none for a
  /// combining mark, two for a wide East Asian sign, one for what the table does not know.
  package var cells: Int {
    isPlain ? utf8.count : Self.widths(unicodeScalars).reduce(0, +)
  }

  /// The longest beginning that takes at most `limit` columns; a sign and its marks stay together.
  package func cut(toCells limit: Int) -> String {
    guard cells > limit else { return self }
    var rest = Self.widths(unicodeScalars)[...]
    var room = limit
    return String(
      prefix { character in
        let scalars = character.unicodeScalars.count
        room -= rest.prefix(scalars).reduce(0, +)
        rest = rest.dropFirst(scalars)
        return room >= 0
      })
  }

  /// The text with spaces behind it, `count` columns wide.
  package func padded(toCells count: Int) -> String {
    self + String(repeating: " ", count: max(0, count - cells))
  }

  /// Nothing but ASCII, where each byte takes one column.
  private var isPlain: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// The table belongs to a locale, so it does not hang on the one the person has.
  private static func widths(_ scalars: UnicodeScalarView) -> [Int] {
    let utf8 = newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
    let before = utf8.map { uselocale($0) }
    defer {
      if let before { _ = uselocale(before) }
      if let utf8 { freelocale(utf8) }
    }
    return scalars.map { scalar in
      let width = Int(wcwidth(wchar_t(scalar.value)))
      return width < 0 ? 1 : width
    }
  }
}
