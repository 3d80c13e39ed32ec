/// What happened, in order: kept for those who ask later, told to those who listen.
///
/// It keeps the newest 4096 entries, so that a demonstration left alone does not grow.
struct Journal<Entry: Sendable>: Sendable {
  private(set) var entries: [Entry] = []
  private var listeners: [AsyncStream<Entry>.Continuation] = []

  private static var kept: Int { 4096 }

  mutating func note(_ entry: Entry) {
    entries.append(entry)
    if entries.count > Self.kept { entries.removeFirst(entries.count - Self.kept) }
    listeners.removeAll {
      if case .terminated = $0.yield(entry) { true } else { false }
    }
  }

  /// Everything kept so far and everything to come; one reader.
  mutating func stream() -> AsyncStream<Entry> {
    let (stream, continuation) = AsyncStream.makeStream(of: Entry.self)
    for entry in entries { continuation.yield(entry) }
    listeners.append(continuation)
    return stream
  }

  mutating func finish() {
    for listener in listeners { listener.finish() }
    listeners = []
  }
}
