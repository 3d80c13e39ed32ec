import FoundationEssentials

/// A moment of wall time, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Whole milliseconds are what the database holds and what the API prints, so a moment survives the
/// journey unchanged (`docs/architecture.md`, "Time").
package struct Timestamp: Hashable, Comparable, Sendable, Codable {
  /// Milliseconds since 1970 (UTC); negative before.
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package init(seconds: Int64) { self.milliseconds = seconds * 1000 }

  package init(from decoder: any Decoder) throws {
    milliseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  package static func + (time: Timestamp, span: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + span.milliseconds)
  }

  package static func - (time: Timestamp, span: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds - span.milliseconds)
  }

  /// The span from `right` to `left`; negative when `left` is earlier.
  package static func - (left: Timestamp, right: Timestamp) -> Duration {
    .milliseconds(left.milliseconds - right.milliseconds)
  }
}

extension Duration {
  /// Whole milliseconds, rounded towards zero.
  package var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

extension Timestamp {
  /// The machine's wall time; only what composes the program reads it, others are given it.
  package static var now: Timestamp {
    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
  }
}

/// Reads the wall clock; a parameter wherever wall time matters, so that tests choose it.
package typealias WallClock = @Sendable () -> Timestamp
