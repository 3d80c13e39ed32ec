import Glibc

/// A file that holds disk space back, to be given up when the disk is full so that rule states,
/// alerts and the outbox can still be stored.
struct SpaceReserve {
  let path: String
  /// Bytes.
  let size: Int64

  /// Whether space is held back now.
  var isHeld: Bool { DatabaseFile.size(of: path) >= size }

  /// Gives the space up.
  func release() { unlink(path) }

  /// Takes the space, unless it is held already.
  ///
  /// - Returns: whether it is held now.
  func take() -> Bool {
    guard !isHeld else { return true }
    let descriptor = open(path, O_CREAT | O_CLOEXEC | O_RDWR, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    guard posix_fallocate(descriptor, 0, off_t(size)) == 0 else {
      unlink(path)
      return false
    }
    return true
  }
}
