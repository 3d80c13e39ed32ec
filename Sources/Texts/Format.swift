import Domain

/// Numbers and spans as people write them in each language.
package enum Format {
  /// `12 s`, `5 min`, `3 h`, `2 d` / `2 j`: the largest whole unit.
  package static func span(_ duration: Duration) -> Phrase {
    let seconds = max(0, duration.milliseconds / 1000)
    return switch seconds {
    case ..<60: Phrase(en: "\(seconds) s", fr: "\(seconds) s")
    case ..<3600: Phrase(en: "\(seconds / 60) min", fr: "\(seconds / 60) min")
    case ..<86_400: Phrase(en: "\(seconds / 3600) h", fr: "\(seconds / 3600) h")
    default: Phrase(en: "\(seconds / 86_400) d", fr: "\(seconds / 86_400) j")
    }
  }

  /// `12 s ago` / `il y a 12 s`; `never` / `jamais` without a moment.
  package static func ago(_ moment: Timestamp?, now: Timestamp) -> Phrase {
    guard let moment else { return Phrase(en: "never", fr: "jamais") }
    let span = span(now - moment)
    return Phrase(en: "\(span.english) ago", fr: "il y a \(span.french)")
  }

  /// `text:` / `text :`.
  package static func label(_ text: String) -> Phrase { Phrase(en: "\(text):", fr: "\(text) :") }

  package static func yesNo(_ value: Bool) -> Phrase {
    value ? Phrase(en: "yes", fr: "oui") : Phrase(en: "no", fr: "non")
  }

  /// A number with what is counted: English says one of 1 only, French of 0 and 1.
  package static func count(
    _ number: Int, en one: String, _ several: String, fr un: String, _ plusieurs: String
  ) -> Phrase {
    Phrase(
      en: "\(number) \(number == 1 ? one : several)",
      fr: "\(number) \(number < 2 ? un : plusieurs)")
  }

  /// A number with at most `decimals` decimals, trailing zeros dropped; a comma in French. From 10¹⁵
  /// on it is written with an exponent.
  package static func number(_ value: Double, decimals: Int = 1) -> Phrase {
    guard value.isFinite else { return Phrase(en: "–", fr: "–") }
    guard abs(value) < 1e15 else {
      let text = "\(value)".filter { $0 != "+" }
      return Phrase(en: text, fr: String(text.map { $0 == "." ? "," : $0 }))
    }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int64((abs(value) * scale).rounded())
    let sign = value < 0 && scaled != 0 ? "-" : ""
    var fraction = String(scaled % Int64(scale))
    fraction = String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    let whole = "\(sign)\(scaled / Int64(scale))"
    return fraction.isEmpty || decimals == 0
      ? Phrase(en: whole, fr: whole)
      : Phrase(en: "\(whole).\(fraction)", fr: "\(whole),\(fraction)")
  }
}
