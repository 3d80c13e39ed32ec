import Synchronization

/// A clock that stands still until a test moves it.
///
/// A test first waits until the code under test sleeps (`sleepers(atLeast:)`, `sleeper(dueIn:)`), then
/// calls `advance(by:)`.
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    /// Time since the clock was made.
    package let offset: Duration

    package func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    package func duration(to other: Instant) -> Duration { other.offset - offset }

    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let isSatisfied: @Sendable (_ dueIn: [Duration]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var watchers: [Watcher] = []
    var nextSleeper = 0

    var dueIn: [Duration] { sleepers.values.map { now.duration(to: $0.deadline) } }

    mutating func takeSatisfiedWatchers() -> [Watcher] {
      let dueIn = dueIn
      let satisfied = watchers.filter { $0.isSatisfied(dueIn) }
      watchers.removeAll { $0.isSatisfied(dueIn) }
      return satisfied
    }
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }
  package var minimumResolution: Duration { .nanoseconds(1) }

  package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let number = state.withLock { state in
      state.nextSleeper += 1
      return state.nextSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (outcome, watchers) = state.withLock { state in
          self.add(Sleeper(deadline: deadline, continuation: continuation), number, to: &state)
        }
        if let outcome { continuation.resume(with: outcome) }
        for watcher in watchers { watcher.continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Answers the outcome of a sleep that is over before it began, and who waited for it to begin.
  private func add(
    _ sleeper: Sleeper, _ number: Int, to state: inout State
  ) -> (Result<Void, any Error>?, [Watcher]) {
    if state.cancelled.remove(number) != nil { return (.failure(CancellationError()), []) }
    if sleeper.deadline <= state.now { return (.success(()), []) }
    state.sleepers[number] = sleeper
    return (nil, state.takeSatisfiedWatchers())
  }

  /// Moves time on and wakes, in the order of their deadlines, those whose time has come.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      let end = state.now.advanced(by: duration)
      state.now = end
      let due = state.sleepers.filter { $0.value.deadline <= end }
        .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
      for (number, _) in due { state.sleepers[number] = nil }
      return due.map(\.value)
    }
    for sleeper in due { sleeper.continuation.resume() }
  }

  /// How many tasks sleep on this clock now.
  package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Returns once at least `count` tasks sleep on this clock.
  package func sleepers(atLeast count: Int) async {
    await watch { $0.count >= count }
  }

  /// Returns once a task sleeps that is due in exactly `span`.
  package func sleeper(dueIn span: Duration) async {
    await watch { $0.contains(span) }
  }

  private func watch(_ isSatisfied: @escaping @Sendable ([Duration]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if isSatisfied(state.dueIn) { return true }
        state.watchers.append(Watcher(isSatisfied: isSatisfied, continuation: continuation))
        return false
      }
      if isDone { continuation.resume() }
    }
  }
}
