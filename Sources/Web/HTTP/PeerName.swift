import Glibc

/// Who is at the other end of a Unix socket, as the kernel vouches for it (unix(7), SO_PEERCRED).
enum PeerName {
  /// The login name; `uid <number>` for a user without one.
  static func read(from descriptor: Int32) -> String {
    // `struct ucred`, which Glibc's module leaves out.
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
