import CMicroHTTPD

/// One request and its answer, from the first header to the last byte. Lives on the server's queue.
final class Exchange {
  let connection: OpaquePointer
  let request: RequestHead
  private(set) var body: [UInt8] = []
  private var received = 0
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

  /// The greatest body that is taken, in bytes.
  static let bodyLimit = 64 << 10
  /// A body is read and thrown away up to here, so that its client gets to read the refusal; the
  /// connection of a greater one is closed.
  private static let patience = 1 << 20

  var isTooLarge: Bool { max(received, announced) > Self.bodyLimit }

  /// Whether to refuse at once: the client waits for leave to send, or would send without end.
  var isHopeless: Bool {
    isTooLarge && (request.headers["expect"] != nil || announced > Self.patience)
  }

  private var announced: Int { request.headers["content-length"].flatMap { Int($0) } ?? 0 }

  /// False when the connection is to be closed.
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    received += piece.count
    if !isTooLarge { body += piece }
    return received <= Self.patience
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
