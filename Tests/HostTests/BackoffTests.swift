import Host
import Testing

/// Draws the same numbers in every run.
private struct Draws: RandomNumberGenerator {
  var value: UInt64
  mutating func next() -> UInt64 {
    value = value &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return value
  }
}

@Suite("A back-off")
struct BackoffTests {
  @Test("doubles up to its cap and starts again after a success")
  func doubles() {
    var backoff = Backoff(first: .seconds(1), cap: .seconds(5), jitter: 0)
    #expect((1...5).map { _ in backoff.next() } == [1, 2, 4, 5, 5].map { .seconds($0) })
    #expect(backoff.failures == 5)
    backoff.reset()
    #expect(backoff.next() == .seconds(1))
  }

  @Test("leaves no more to chance than it was told", arguments: 1...20)
  func jitters(seed: UInt64) {
    var generator = Draws(value: seed)
    let backoff = Backoff(first: .seconds(10), cap: .seconds(100), jitter: 0.2)
    for failures in [1, 2, 50, Int.max] {
      let whole = failures == 1 ? 10.0 : failures == 2 ? 20.0 : 100.0
      let delay = backoff.delay(afterFailures: failures, using: &generator) / .seconds(1)
      #expect((whole * 0.8...whole * 1.0001).contains(delay))
    }
  }

  @Test("spreads two gateways that failed together")
  func spreads() {
    let delays = Set(
      (0..<20).map { _ in
        var backoff = Backoff(first: .seconds(60), cap: .seconds(60))
        return backoff.next()
      })
    #expect(delays.count > 15)
  }
}
