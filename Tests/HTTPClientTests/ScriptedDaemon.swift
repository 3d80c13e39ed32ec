import Foundation
import Glibc
import Synchronization
import TestSupport

/// Takes one connection on a Unix socket, reads one request, and writes the pieces it was given.
final class ScriptedDaemon: Sendable {
  struct NoSocket: Error {}

  let path: String
  private let directory: TemporaryDirectory
  private let listener: Int32
  private let received = Mutex<[String]>([])
  private let left = AsyncStream.makeStream(of: Void.self)
  private let came = AsyncStream.makeStream(of: Void.self)

  /// - Parameter staysOpen: waits for the client to leave instead of closing after the last piece.
  init(_ pieces: [String], staysOpen: Bool = false) throws {
    directory = try TemporaryDirectory()
    path = directory.file("control.sock")
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound, listen(listener, 1) == 0 else { throw NoSocket() }
    Thread.detachNewThread { [self] in serve(pieces, staysOpen) }
  }

  deinit { close(listener) }

  var requests: [String] { received.withLock { $0 } }

  /// Stops listening; the socket's file stays.
  func leave() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Returns once a request has come.
  func asked() async { for await _ in came.stream { break } }

  /// Returns once the client has closed its end.
  func clientLeft() async { for await _ in left.stream { break } }

  private func serve(_ pieces: [String], _ staysOpen: Bool) {
    let client = accept(listener, nil, nil)
    guard client >= 0 else { return }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(client, &buffer, buffer.count)
    received.withLock { $0.append(String(decoding: buffer[..<max(0, count)], as: UTF8.self)) }
    came.continuation.yield()
    for piece in pieces {
      let bytes = Array(piece.utf8)
      _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
    if staysOpen {
      while read(client, &buffer, buffer.count) > 0 {}
      left.continuation.yield()
    }
    close(client)
  }
}
