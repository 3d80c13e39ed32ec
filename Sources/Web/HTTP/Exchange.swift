import CMicroHTTPD

/// One request and its answer, from the first header to the last byte. Lives on the server's queue.
final class Exchange {
  let connection: OpaquePointer
  let request: RequestHead
  var body: [UInt8] = []
  var isTooLarge = false
  /// The work on the answer; cancelled when the client leaves.
  var work: Task<Void, Never>?
  var response: Response?
  var isSuspended = false
  var isDone = false
  var stream: OutgoingStream?

  init(connection: OpaquePointer, request: RequestHead) {
    self.connection = connection
    self.request = request
  }

  func suspend() {
    isSuspended = true
    MHD_suspend_connection(connection)
  }

  func resume() {
    guard isSuspended, !isDone else { return }
    isSuspended = false
    MHD_resume_connection(connection)
  }
}

/// What is known before the body.
struct RequestHead: Sendable {
  let method: String
  let path: String
  let query: [String: String]
  let headers: [String: String]
  let peer: String
}

/// Chunks on their way to a client that may read more slowly than they come.
final class OutgoingStream {
  private var chunks: [[UInt8]] = []
  private var offset = 0
  private(set) var isEnded = false

  /// Bytes a slow client may be behind; beyond that the stream is ended rather than cut short.
  static let limit = 1 << 20

  func append(_ chunk: [UInt8]) {
    guard !isEnded else { return }
    chunks.append(chunk)
    if chunks.reduce(0, { $0 + $1.count }) - offset > Self.limit { isEnded = true }
  }

  func end() { isEnded = true }

  /// Copies what there is, at most `capacity` bytes. 0 when there is nothing yet, nil at the end.
  func read(into buffer: UnsafeMutableRawPointer, capacity: Int) -> Int? {
    guard let first = chunks.first else { return isEnded ? nil : 0 }
    let count = min(capacity, first.count - offset)
    first.withUnsafeBytes { source in
      if let base = source.baseAddress {
        buffer.copyMemory(from: base + offset, byteCount: count)
      }
    }
    offset += count
    if offset == first.count {
      chunks.removeFirst()
      offset = 0
    }
    return count
  }
}
