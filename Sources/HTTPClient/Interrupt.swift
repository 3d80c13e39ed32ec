import Glibc

/// Ends a transfer from another thread, at once: libcurl polls its descriptor beside the socket.
final class Interrupt: Sendable {
  /// Readable once raised.
  let descriptor: Int32
  private let other: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    descriptor = ends[0]
    other = ends[1]
  }

  deinit {
    close(descriptor)
    close(other)
  }

  func raise() { send(other, [1], 1, Int32(MSG_NOSIGNAL | MSG_DONTWAIT)) }
}
