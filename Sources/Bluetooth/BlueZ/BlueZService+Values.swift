/// The values of one characteristic for its one reader.
struct ValueFeed {
  let continuation: AsyncStream<[UInt8]>.Continuation
  /// While a read of ours is under way: what came meanwhile. BlueZ announces the value read like one
  /// notified, just before its reply, and the two can only be told apart when the reply is there.
  private var held: [[UInt8]]?

  init(continuation: AsyncStream<[UInt8]>.Continuation) { self.continuation = continuation }

  mutating func take(_ bytes: [UInt8]) {
    if held == nil { continuation.yield(bytes) } else { held?.append(bytes) }
  }

  mutating func hold() { held = [] }

  /// Delivers what was held, apart from the echo of the value read, which is the last of its like.
  mutating func release(read bytes: [UInt8]?) {
    var values = held ?? []
    held = nil
    if let bytes, let echo = values.lastIndex(of: bytes) { values.remove(at: echo) }
    for value in values { continuation.yield(value) }
  }
}

extension BlueZService {
  /// Reads a characteristic without its reader hearing of it.
  func read(_ path: String, within deadline: Duration) async throws(BlueZError) -> [UInt8] {
    feeds[path]?.hold()
    do {
      let reply = try await call(
        path, BlueZ.characteristic, "ReadValue", [.properties([:])], within: deadline)
      let bytes = reply.first?.bytes ?? []
      feeds[path]?.release(read: bytes)
      return bytes
    } catch {
      feeds[path]?.release(read: nil)
      throw error
    }
  }

  /// The values notified from now on, unbounded, until `endFeed`.
  func feed(_ path: String) -> AsyncStream<[UInt8]> {
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    feeds.updateValue(ValueFeed(continuation: continuation), forKey: path)?.continuation.finish()
    return stream
  }

  func endFeed(_ path: String) {
    feeds.removeValue(forKey: path)?.continuation.finish()
  }
}
