import Domain
import FoundationEssentials
import Glibc
import Host

/// The database's files on disk: the file itself, its write-ahead log and the log's index.
struct DatabaseFile {
  let path: String

  var log: String { path + "-wal" }
  var index: String { path + "-shm" }

  var exists: Bool { Self.isPresent(path) }

  /// Whether the log of a database is there and the database is not, or is empty: then it is not
  /// new but lost.
  var isLost: Bool {
    exists ? Self.size(of: path) == 0 : Self.isPresent(log)
  }

  /// Bytes; 0 for an absent file.
  static func size(of path: String) -> Int64 {
    var information = stat()
    return stat(path, &information) == 0 ? Int64(information.st_size) : 0
  }

  /// The number that tells this file from others, as it stands in the file's own first page, without
  /// the log (`application_id`, big-endian at offset 68); nil when it cannot be read.
  var identity: UInt32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var number: UInt32 = 0
    return pread(descriptor, &number, 4, 68) == 4 ? UInt32(bigEndian: number) : nil
  }

  /// Bytes that we may still use on the file's disk.
  var freeSpace: Int64 {
    var information = statvfs()
    guard statvfs(path, &information) == 0 else { return 0 }
    return Int64(clamping: UInt64(information.f_bavail) * UInt64(information.f_frsize))
  }

  static func isPresent(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Makes an empty file, as far as possible.
  static func touch(_ path: String) {
    let descriptor = open(path, O_CREAT | O_CLOEXEC | O_WRONLY, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  static func remove(_ path: String) { unlink(path) }

  /// Takes back what `create()` made, before anything was stored in it.
  func removeNew() { for file in [path, log, index] { Self.remove(file) } }

  /// Makes the empty file, for our user alone; the log and its index take over its mode.
  func create() throws(Fault) {
    let descriptor = open(path, O_CREAT | O_EXCL | O_CLOEXEC | O_RDWR, 0o600)
    guard descriptor >= 0 else {
      throw Fault(storing: FileError("create", path))
    }
    close(descriptor)
  }

  /// Gives the damaged files a name with the date, so that nothing of them is lost.
  ///
  /// - Returns: the new path of the file.
  func moveAside(at moment: Timestamp) throws(Fault) -> String {
    let date = Date(timeIntervalSince1970: Double(moment.milliseconds) / 1000)
    let stamp = date.formatted(
      .iso8601.dateSeparator(.omitted).timeSeparator(.omitted).dateTimeSeparator(.standard))
    let base = "\(path).damaged-\(stamp)"
    var target = base
    var count = 1
    while Self.isPresent(target) || Self.isPresent(target + "-wal") {
      count += 1
      target = "\(base)-\(count)"
    }
    for suffix in ["", "-wal", "-shm"] where Self.isPresent(path + suffix) {
      guard rename(path + suffix, target + suffix) == 0 else {
        throw Fault(storing: FileError("set aside", path + suffix))
      }
    }
    return target
  }
}
