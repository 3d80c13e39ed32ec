extension Timestamp {
  /// Reads a date and time of RFC 3339, `2026-11-30T21:05:09.042Z` or with an offset (`+01:00`);
  /// digits beyond milliseconds are dropped.
  ///
  /// - Returns: nil unless the whole text is one, with a day that exists.
  package init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    guard let year = rest.digits(4), rest.drops("-"), let month = rest.digits(2), rest.drops("-"),
      let day = rest.digits(2), rest.drops("T") || rest.drops("t") || rest.drops(" "),
      let hour = rest.digits(2), rest.drops(":"), let minute = rest.digits(2), rest.drops(":"),
      let second = rest.digits(2)
    else { return nil }
    var millisecond: Int64 = 0
    if rest.drops(".") {
      var weight: Int64 = 100
      var count = 0
      while let digit = rest.digits(1) {
        millisecond += digit * weight
        weight /= 10
        count += 1
      }
      guard count > 0 else { return nil }
    }
    var offset: Int64 = 0
    if !(rest.drops("Z") || rest.drops("z")) {
      let isNegative = rest.first == UInt8(ascii: "-")
      guard rest.drops("+") || rest.drops("-"), let hours = rest.digits(2), hours <= 23,
        rest.drops(":"), let minutes = rest.digits(2), minutes <= 59
      else { return nil }
      offset = (hours * 60 + minutes) * (isNegative ? -60_000 : 60_000)
    }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    let back = CivilDate(daysSince1970: days)
    guard rest.isEmpty, (1...12).contains(month), back.day == day, back.month == month,
      hour <= 23, minute <= 59, second <= 59
    else { return nil }
    let time = ((hour * 60 + minute) * 60 + second) * 1000 + millisecond
    self.init(milliseconds: days * 86_400_000 + time - offset)
  }
}

extension ArraySlice<UInt8> {
  /// Takes exactly `count` decimal digits off the front.
  fileprivate mutating func digits(_ count: Int) -> Int64? {
    guard self.count >= count else { return nil }
    var value: Int64 = 0
    for byte in prefix(count) {
      guard (0x30...0x39).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 0x30)
    }
    self = dropFirst(count)
    return value
  }

  /// Takes one character off the front if it stands there.
  fileprivate mutating func drops(_ character: Unicode.Scalar) -> Bool {
    guard first == UInt8(ascii: character) else { return false }
    self = dropFirst()
    return true
  }
}
