import Glibc

/// Small files that must be whole: keys, configurations, account stores.
package enum Files {
  /// The whole file; throws `EFBIG` when it holds more than `limit` bytes.
  package static func read(_ path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("read", path) }
    defer { close(file) }
    var content: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(file, &piece, piece.count)
      if count == -1 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError("read", path) }
      guard count > 0 else { return content }
      content += piece[..<count]
      guard content.count <= limit else { throw FileError("read", path, error: EFBIG) }
    }
  }

  /// Puts `content` at `path` in one step that survives a power cut: whoever reads finds the old file
  /// or the new one, whole.
  ///
  /// - Parameters:
  ///   - mode: the permission bits, whatever the umask says.
  ///   - isReplacing: false refuses with `EEXIST` when there is a file already.
  package static func write(
    _ content: [UInt8], to path: String, mode: mode_t, replacing isReplacing: Bool = true
  ) throws(FileError) {
    let temporary = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError("create a file beside", path) }
    defer { unlink(temporary) }
    let isWritten = writeAll(content, to: file) && fchmod(file, mode) == 0 && fsync(file) == 0
    let writeError = errno
    close(file)
    guard isWritten else { throw FileError("write", path, error: writeError) }
    let isPlaced = isReplacing ? rename(temporary, path) == 0 : link(temporary, path) == 0
    guard isPlaced else { throw FileError("write", path) }
    try synchronizeDirectory(of: path)
  }

  private static func writeAll(_ content: [UInt8], to file: Int32) -> Bool {
    var rest = content[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count == -1 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// A new name is only lasting once its directory is.
  private static func synchronizeDirectory(of path: String) throws(FileError) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw FileError("open", directory) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw FileError("synchronize", directory) }
  }
}
