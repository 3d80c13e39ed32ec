import Foundation
import Glibc
import Host

/// A socket and nothing else: sends what it is told and reads what comes. Reading blocks a thread of
/// its own: the answer is worked out on the few that tasks share.
final class RawClient: Sendable {
  struct Broken: Error {}

  private let descriptor: Int32

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let connected = Self.withAddress(path) { connect(descriptor, $0, $1) }
    guard connected == 0 else { throw Broken() }
    // A server that never answers fails the test instead of hanging it.
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  /// Leaves, as a client that is killed does.
  func leave() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// What a daemon that was killed leaves behind.
  static func leaveStaleSocket(at path: String) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    _ = withAddress(path) { bind(descriptor, $0, $1) }
    Glibc.close(descriptor)
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// False when the server has closed the connection.
  @discardableResult func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Reads until a whole answer of known length, or `marker`, has come.
  func receive(until marker: String? = nil) async throws -> String {
    try await Blocking.run { Result { try self.read(until: marker) } }.get()
  }

  private func read(until marker: String?) throws -> String {
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else {
        guard !text.isEmpty else { throw Broken() }
        return text
      }
      text += String(decoding: buffer[..<count], as: UTF8.self)
      if let marker {
        if text.contains(marker) { return text }
      } else if let head = text.range(of: "\r\n\r\n") {
        let length = text[..<head.lowerBound].lowercased().components(separatedBy: "\r\n")
          .first { $0.hasPrefix("content-length:") }
          .flatMap {
            Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces))
          }
        if let length, text[head.upperBound...].utf8.count >= length { return text }
      }
    }
  }

  func exchange(_ text: String) async throws -> String {
    send(text)
    return try await receive()
  }
}
