import Synchronization

/// Wakes a loop that has something to do: rings are not counted, one that nobody waited for is kept.
///
/// Not an `AsyncStream` of one: cancelling a wait there ends the stream for good, and a loop that waits
/// for "a ring, or until the next message is due" cancels one of the two every time.
package final class Bell: Sendable {
  private struct State {
    var isRung = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var cancelled: Set<Int> = []
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Wakes whoever waits, or the next who will.
  package func ring() {
    let waiters = state.withLock { state in
      state.isRung = state.waiters.isEmpty
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns at the next ring, or at once after one that is still unheard; also when the task is
  /// cancelled.
  package func wait() async {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          if state.isRung {
            state.isRung = false
            return true
          }
          state.waiters[number] = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter == nil { state.cancelled.insert(number) }
        return waiter
      }
      waiter?.resume()
    }
    // A cancellation that came after the ring left its mark.
    _ = state.withLock { $0.cancelled.remove(number) }
  }

  /// Returns at the next ring, after `limit` at the latest, or when the task is cancelled.
  package func wait(atMost limit: Duration, on clock: any Clock<Duration>) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait() }
      group.addTask { try? await clock.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
  }
}
