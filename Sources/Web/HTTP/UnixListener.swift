import Domain
import Glibc

/// A listening Unix socket with the rights that decide who may speak to the daemon.
struct UnixListener: ~Copyable {
  let descriptor: Int32
  let path: String

  /// - Parameter group: who may connect beside the owner; a group that does not exist is left out.
  /// - Throws: `Fault(.conflict)` when another daemon answers there, else `Fault(.internalFault)`.
  init(path: String, group: String?) throws(Fault) {
    var address = sockaddr_un()
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Fault(.configuration, "the path of the control socket is too long")
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }

    if Self.connects(to: address) {
      throw Fault(.conflict, "another daemon answers on \(path)")
    }
    unlink(path)
    let socket = Glibc.socket(
      AF_UNIX,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        | Int32(SOCK_NONBLOCK.rawValue), 0)
    // Nobody may connect in the moment before the rights are set.
    let old = umask(0o177)
    let bound = Self.withPointer(to: address) { bind(socket, $0, $1) }
    umask(old)
    guard socket >= 0, bound == 0, listen(socket, 128) == 0 else {
      let error = String(cString: strerror(errno))
      if socket >= 0 { close(socket) }
      throw Fault(.configuration, "cannot listen on \(path): \(error)")
    }
    if let group, let entry = getgrnam(group) {
      chown(path, UInt32.max, entry.pointee.gr_gid)
    }
    chmod(path, 0o660)
    descriptor = socket
    self.path = path
  }

  private static func connects(to address: sockaddr_un) -> Bool {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return false }
    defer { close(socket) }
    return withPointer(to: address) { connect(socket, $0, $1) } == 0
  }

  private static func withPointer(
    to address: sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafeBytes(of: address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { socket in
        socket.baseAddress.map { body($0, socklen_t(bytes.count)) } ?? -1
      }
    }
  }

  /// The login name at the other end of a connection; its number when it has none.
  static func peer(of descriptor: Int32) -> String {
    // `struct ucred` of unix(7), which Glibc's module leaves out.
    var credentials: (pid: pid_t, uid: uid_t, gid: gid_t) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      return "unknown"
    }
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4096)
    guard getpwuid_r(credentials.uid, &entry, &buffer, buffer.count, &found) == 0,
      found != nil, let name = entry.pw_name
    else { return "uid \(credentials.uid)" }
    return String(cString: name)
  }
}
