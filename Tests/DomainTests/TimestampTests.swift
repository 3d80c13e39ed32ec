import Domain
import Foundation
import TestSupport
import Testing

@Suite("A timestamp")
struct TimestampTests {
  @Test(
    "prints as ISO 8601 in UTC with milliseconds",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_796_072_709_042, "2026-11-30T21:05:09.042Z"),
      (951_868_799_999, "2000-02-29T23:59:59.999Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ])
  func printed(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test("prints what the system's calendar says")
  func agrees() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let seconds = Int64.random(in: -60_000_000_000...60_000_000_000, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = .gmt
      // The system's calendar is Julian before 1582; ours is Gregorian throughout.
      guard date > Date(timeIntervalSince1970: -12_219_292_800) else { continue }
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let days = (Double(seconds) / 86_400).rounded(.down)
      let civil = CivilDate(daysSince1970: Int64(days))
      #expect(civil.year == parts.year.map(Int64.init))
      #expect(civil.month == parts.month.map(Int64.init))
      #expect(civil.day == parts.day.map(Int64.init))
      #expect(civil.daysSince1970 == Int64(days))
    }
  }
}
