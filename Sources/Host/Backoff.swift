/// How long to wait before the next try: longer each time, never more than a cap, and never the same
/// for two gateways that lost the same server.
package struct Backoff: Sendable {
  package let first: Duration
  package let factor: Double
  package let cap: Duration
  /// The share of a delay that is left to chance, 0…1: a delay `d` is drawn from `d × (1 − jitter)…d`.
  package let jitter: Double
  /// Failures since the last `reset()`.
  package private(set) var failures = 0

  package init(
    first: Duration = .seconds(1), factor: Double = 2, cap: Duration, jitter: Double = 0.5
  ) {
    precondition(first > .zero && factor >= 1 && cap >= first && (0...1).contains(jitter))
    self.first = first
    self.factor = factor
    self.cap = cap
    self.jitter = jitter
  }

  /// Counts a failure and answers the delay after it.
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    failures += 1
    return delay(afterFailures: failures, using: &generator)
  }

  package mutating func next() -> Duration {
    var generator = SystemRandomNumberGenerator()
    return next(using: &generator)
  }

  /// To be called when a try succeeded.
  package mutating func reset() { failures = 0 }

  /// The delay after so many failures in a row, for a caller that keeps the count elsewhere.
  package func delay(
    afterFailures failures: Int, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    var delay = first
    var left = failures - 1
    while left > 0 && delay < cap {
      delay = delay * factor
      left -= 1
      if factor == 1 { break }
    }
    return min(delay, cap) * Double.random(in: (1 - jitter)...1, using: &generator)
  }
}
