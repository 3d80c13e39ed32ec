import Synchronization

/// Whether the loops that do the work get on with it: what the service manager's watchdog is fed by.
///
/// A loop that waits for something to do is well; one that has been at a single piece of work for
/// longer than the limit hangs, and the watchdog then goes unfed.
package final class Progress: Sendable {
  /// A loop of the daemon.
  package enum Loop: String, Hashable, Sendable, CaseIterable {
    case ingest
    case forwarder
    case retention
    case health
  }

  private let stopwatch: Stopwatch
  private let busySince = Mutex<[Loop: Duration]>([:])

  package init(clock: any Clock<Duration> = ContinuousClock()) { stopwatch = Stopwatch(clock) }

  /// The loop takes up a piece of work; calling it again marks the next piece.
  package func begin(_ loop: Loop) {
    let now = stopwatch.elapsed
    busySince.withLock { $0[loop] = now }
  }

  /// The loop waits for something to do.
  package func rest(_ loop: Loop) {
    busySince.withLock { $0[loop] = nil }
  }

  /// The loops that have been at one piece of work for longer than `limit`.
  package func stuck(longerThan limit: Duration) -> [Loop] {
    let now = stopwatch.elapsed
    let busy = busySince.withLock { $0 }
    return Loop.allCases.filter { loop in busy[loop].map { now - $0 > limit } ?? false }
  }
}
