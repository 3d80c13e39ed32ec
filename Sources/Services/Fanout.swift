import Domain
import Synchronization

/// One source, many streams: an `AsyncStream` has one reader, so each reader gets its own.
final class Fanout<Element: Sendable>: Sendable {
  private struct Reader {
    let continuation: AsyncStream<Element>.Continuation
    let awaited: SensorID?
  }

  private struct State {
    var next = 0
    var readers: [Int: Reader] = [:]
  }

  private let state = Mutex(State())
  private let buffer: Int

  /// - Parameter buffer: how many elements are kept for a reader that does not keep up; the oldest
  ///   are lost.
  init(buffer: Int) { self.buffer = buffer }

  /// The elements from now on, for as long as the stream is read.
  func stream(awaiting sensor: SensorID? = nil) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(buffer))
    let number = state.withLock { state in
      state.next += 1
      state.readers[state.next] = Reader(continuation: continuation, awaited: sensor)
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in _ = state.readers.removeValue(forKey: number) }
    }
    return stream
  }

  func yield(_ element: Element) {
    for reader in state.withLock({ $0.readers.values }) { reader.continuation.yield(element) }
  }

  /// The sensors that a reader waits for.
  var awaitedSensors: Set<SensorID> {
    state.withLock { state in Set(state.readers.values.compactMap(\.awaited)) }
  }
}
