extension Timestamp: CustomStringConvertible {
  /// ISO 8601 in UTC with milliseconds, `2026-11-30T21:05:09.042Z`.
  package var description: String {
    let (days, inDay) = milliseconds.flooredDivision(by: 86_400_000)
    let date = CivilDate(daysSince1970: days)
    let time = [inDay / 3_600_000, inDay / 60_000 % 60, inDay / 1000 % 60]
    let clock = time.map { $0.padded(to: 2) }.joined(separator: ":")
    let day = [date.year.padded(to: 4), date.month.padded(to: 2), date.day.padded(to: 2)]
    return "\(day.joined(separator: "-"))T\(clock).\((inDay % 1000).padded(to: 3))Z"
  }
}

/// A day of the Gregorian calendar, carried back before its beginning.
package struct CivilDate: Hashable, Sendable {
  package let year: Int64
  /// 1–12.
  package let month: Int64
  /// 1–31.
  package let day: Int64

  package init(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The reckoning counts years from 1 March, so that a leap day ends one; an era is 400 years.
  package init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int64 {
    let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  fileprivate func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
