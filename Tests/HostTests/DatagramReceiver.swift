import Glibc

/// A Unix datagram socket that listens, as the journal and systemd do.
struct DatagramReceiver: ~Copyable {
  private let descriptor: Int32

  /// - Parameter path: a file, or an abstract name with a leading `@`.
  init(at path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(path.utf8)
    if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(2 + bytes.count)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    precondition(result == 0, "cannot bind \(path)")
  }

  deinit { close(descriptor) }

  /// What has already arrived, or nil.
  func next() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : Array(buffer[..<count])
  }

  func nextText() -> String? { next().map { String(decoding: $0, as: UTF8.self) } }
}
