import Domain
import Synchronization

/// A radio that hears what a test says, and opens the links a test has laid ready.
package final class FakeRadio: Radio {
  private struct State {
    var condition = RadioCondition.ready(
      adapter: "hci0", address: BluetoothAddress("00:11:22:33:44:55")!)
    var listeners: [Int: AsyncThrowingStream<Sighting, any Error>.Continuation] = [:]
    var nextListener = 0
    var ready: [BluetoothAddress: [Result<FakeLink, Fault>]] = [:]
    var connects: [BluetoothAddress] = []
  }

  private let state = Mutex(State())
  /// Tells each connect, so that a test can wait for it.
  package let connects = Journal<BluetoothAddress>()
  /// Counts the scans begun.
  package let scans = Journal<Int>()

  package init() {}

  // MARK: What a test does

  /// Puts the adapter in another condition; a fault also ends the scans under way.
  package func become(_ condition: RadioCondition) {
    state.withLock { $0.condition = condition }
    guard case .unusable(let fault) = condition else { return }
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish(throwing: fault) }
  }

  package func hear(_ sighting: Sighting) {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(sighting) }
  }

  /// Lays ready what the next connect to this address gives; without, a connect waits for ever.
  package func prepare(_ result: Result<FakeLink, Fault>, at address: BluetoothAddress) {
    state.withLock { $0.ready[address, default: []].append(result) }
  }

  package var isScanning: Bool { state.withLock { !$0.listeners.isEmpty } }

  // MARK: Radio

  package func condition() async -> RadioCondition { state.withLock(\.condition) }

  package func sightings() async throws(Fault) -> AsyncThrowingStream<Sighting, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Sighting.self)
    let number = state.withLock { state in
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in _ = state.listeners.removeValue(forKey: number) }
    }
    scans.note(number)
    return stream
  }

  package func connect(
    to address: BluetoothAddress, deadlines: LinkDeadlines,
    progress: @escaping @Sendable (LinkProgress) -> Void
  ) async throws(Fault) -> any Link {
    progress(.attempt(1))
    let next = state.withLock { state -> Result<FakeLink, Fault>? in
      guard state.ready[address]?.isEmpty == false else { return nil }
      return state.ready[address]?.removeFirst()
    }
    connects.note(address)
    guard let next else {
      let (never, _) = AsyncStream.makeStream(of: Never.self)
      for await _ in never {}
      throw Fault(.connectTimeout, "cancelled")
    }
    return try next.get()
  }
}

/// What happened, in order; a test may wait for it.
package final class Journal<Entry: Sendable>: Sendable {
  private struct State {
    var entries: [Entry] = []
    var waiters:
      [(isMet: @Sendable ([Entry]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  package init() {}

  package var all: [Entry] { state.withLock(\.entries) }

  package func note(_ entry: Entry) {
    let met = state.withLock { state in
      state.entries.append(entry)
      let entries = state.entries
      let met = state.waiters.filter { $0.isMet(entries) }
      state.waiters.removeAll { $0.isMet(entries) }
      return met
    }
    for waiter in met { waiter.continuation.resume() }
  }

  /// Returns once the entries are as wanted.
  package func until(_ isMet: @escaping @Sendable ([Entry]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMetAlready = state.withLock { state in
        if isMet(state.entries) { return true }
        state.waiters.append((isMet, continuation))
        return false
      }
      if isMetAlready { continuation.resume() }
    }
  }
}
