import Domain
import Glibc
import Host

/// A listening Unix socket with the rights that decide who may speak to the daemon.
struct UnixListener: ~Copyable {
  private let descriptor: Int32

  /// Replaces a socket file that nobody answers on, and nothing else.
  ///
  /// - Parameter group: who may connect beside the owner; a group that does not exist is left out,
  ///   with a warning: then only the owner may.
  /// - Throws: `SG-HOST-009` when another daemon answers there, `SG-INPUT-020` with the key that is
  ///   wrong when the path or the group cannot be used.
  init(path: String, group: String?) throws(Fault) {
    guard let address = sockaddr_un(path: path) else {
      throw Fault(.configuration, "[control] socket is too long: \(path)")
    }
    try Self.removeStale(path, address)
    let kind = Int32(
      SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw Self.fault(path) }
    // Nobody can connect before `listen`, so nobody does before the rights are set.
    do throws(Fault) {
      guard address.withPointer({ bind(descriptor, $0, $1) }) == 0, chmod(path, 0o660) == 0 else {
        throw Self.fault(path)
      }
      try Self.give(path, to: group)
      guard listen(descriptor, 128) == 0 else { throw Self.fault(path) }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Hands the descriptor over to a library that closes it itself.
  consuming func take() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  private static func removeStale(
    _ path: String, _ address: sockaddr_un
  ) throws(Fault) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw Fault(.configuration, "[control] socket: \(path) is there already and is no socket")
    }
    let kind = Int32(
      SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let probe = socket(AF_UNIX, kind, 0)
    defer { close(probe) }
    let isConnected = address.withPointer { connect(probe, $0, $1) } == 0
    // Whoever does not accept at once is there all the same.
    guard !isConnected, errno != EAGAIN else { throw Fault(.alreadyRunning, path) }
    guard errno == ECONNREFUSED else { throw fault(path) }
    unlink(path)
  }

  private static func give(_ path: String, to group: String?) throws(Fault) {
    guard let group else { return }
    guard let entry = getgrnam(group) else {
      Log("http").warning(
        "[control] group does not exist; only root and the daemon's own user may connect",
        ["group": group])
      return
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_gid != entry.pointee.gr_gid else { return }
    guard chown(path, uid_t.max, entry.pointee.gr_gid) == 0 else {
      let error = FileError("give away", path)
      throw Fault(
        .configuration,
        "[control] group = \(group), of which the daemon's user is no member: \(error)")
    }
  }

  private static func fault(_ path: String) -> Fault {
    Fault(.configuration, "[control] socket: \(FileError("listen on", path))")
  }
}

extension sockaddr_un {
  /// nil when the path is longer than an address can be.
  fileprivate init?(path: String) {
    self.init()
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: sun_path) else { return nil }
    sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
  }

  fileprivate func withPointer(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    withUnsafePointer(to: self) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
