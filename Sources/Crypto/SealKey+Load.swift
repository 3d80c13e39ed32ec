import Domain
import Glibc
import Host

extension SealKey {
  /// The key from `<credentials>/soundgate.seal` (systemd's `LoadCredential=`), else from
  /// `<state>/seal.key`, which is made at the first start.
  ///
  /// Throws `SG-STORE-608` for a key that is unreadable, not 32 bytes long or open to others;
  /// `SG-STORE-601`, `602` or `603` when there is none and none can be made.
  package static func load(
    credentials: String?, stateDirectory: String
  ) throws(Fault) -> SealKey {
    if let credentials {
      let path = "\(credentials)/soundgate.seal"
      if access(path, F_OK) == 0 { return try read(path) }
    }
    let path = "\(stateDirectory)/seal.key"
    // A disk that is full takes no second one: a key that is there must do without.
    if access(path, F_OK) == 0 { return try readOwn(path) }
    do {
      // Refused when another process has made one meanwhile.
      try Files.write(RandomBytes.make(32), to: path, mode: 0o600, replacing: false)
      if access("\(stateDirectory)/soundgate.db", F_OK) == 0 {
        Log("crypto").warning(
          "there was no seal key beside the database; what was sealed before cannot be opened",
          ["made": path])
      }
    } catch {
      guard error.error == EEXIST else { throw Self.fault(making: error) }
    }
    return try readOwn(path)
  }

  private static func readOwn(_ path: String) throws(Fault) -> SealKey {
    try checkPermissions(of: path)
    return try read(path)
  }

  /// A key that cannot be made is not lost: what stands in the way is the state directory.
  private static func fault(making error: FileError) -> Fault {
    let code: Code =
      switch error.error {
      case ENOSPC, EDQUOT: .storeFull
      case EROFS: .storeReadOnly
      default: .storeUnopened
      }
    return Fault(code, error.description)
  }

  private static func read(_ path: String) throws(Fault) -> SealKey {
    let bytes: [UInt8]
    do {
      bytes = try Files.read(path, atMost: 4096)
    } catch {
      throw Fault(.sealKey, error.description)
    }
    guard let key = SealKey(bytes) else {
      throw Fault(.sealKey, "\(path) holds \(bytes.count) bytes, not 32")
    }
    return key
  }

  private static func checkPermissions(of path: String) throws(Fault) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw Fault(.sealKey, FileError("read", path).description)
    }
    guard status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw Fault(.sealKey, "\(path) has mode \(mode): others may read it; chmod 600 \(path)")
    }
  }
}
