import Domain
import Synchronization

/// A wall clock that goes with a manual clock, and can be set like a real one.
package final class ManualTime: Sendable {
  package let clock = ManualClock()
  private let base: Mutex<Timestamp>

  /// - Parameter start: the wall time when the clock is at zero.
  package init(start: Timestamp = Timestamp(seconds: 1_790_000_000)) { base = Mutex(start) }

  package var now: Timestamp { base.withLock { $0 } + clock.now.offset }

  package var wallClock: WallClock { { self.now } }

  /// Sets the wall clock; the manual clock goes on undisturbed.
  package func set(to time: Timestamp) {
    base.withLock { $0 = time - clock.now.offset }
  }
}
