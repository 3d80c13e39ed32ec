/// Chunks on their way to a client that may read more slowly than they come.
final class OutgoingStream {
  /// Whether a comment may be put between two chunks (`text/event-stream`).
  let takesComments: Bool
  private var pending: [UInt8] = []
  private var isEnded = false

  /// Bytes a client may be behind; the stream of a slower one ends, whole up to there.
  private static let limit = 1 << 20

  init(takesComments: Bool) { self.takesComments = takesComments }

  func append(_ chunk: [UInt8]) {
    guard !isEnded else { return }
    guard pending.count + chunk.count <= Self.limit else { return end() }
    pending += chunk
  }

  func end() { isEnded = true }

  /// Copies what there is, at most `capacity` bytes. 0 when there is nothing yet, nil at the end.
  func read(into buffer: UnsafeMutableRawPointer, capacity: Int) -> Int? {
    guard !pending.isEmpty else { return isEnded ? nil : 0 }
    let count = min(capacity, pending.count)
    pending.withUnsafeBytes { source in
      if let base = source.baseAddress { buffer.copyMemory(from: base, byteCount: count) }
    }
    pending.removeFirst(count)
    return count
  }
}
