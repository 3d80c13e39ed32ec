import Glibc

/// A Unix datagram socket aimed at one address: the journal's, the service manager's.
struct DatagramSocket: ~Copyable, Sendable {
  private let descriptor: Int32
  private let path: [UInt8]

  /// - Parameter path: a file, or an abstract name written with a leading `@`.
  /// - Returns: nil when the path does not fit an address or no socket can be made.
  init?(to path: String) {
    var bytes = Array(path.utf8)
    guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"),
      bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    else { return nil }
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    self.path = bytes
  }

  deinit { close(descriptor) }

  /// Sends one datagram; false when nobody takes it.
  func send(_ bytes: [UInt8]) -> Bool {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let length = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + path.count)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        while true {
          let sent = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), name, length)
          if sent == -1 && errno == EINTR { continue }
          return sent == bytes.count
        }
      }
    }
  }
}
