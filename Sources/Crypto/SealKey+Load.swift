import Domain
import Glibc
import Host

extension SealKey {
  /// The key from `<credentials>/soundgate.seal` (systemd's `LoadCredential=`), else from
  /// `<state>/seal.key`, which is made at the first start.
  ///
  /// Throws `SG-STORE-608` for a key that is unreadable, not 32 bytes long or open to others.
  package static func load(
    credentials: String?, stateDirectory: String
  ) throws(Fault) -> SealKey {
    if let credentials {
      let path = "\(credentials)/soundgate.seal"
      if access(path, F_OK) == 0 { return try read(path) }
    }
    let path = "\(stateDirectory)/seal.key"
    do {
      // Refused when there is one already, also one another process made meanwhile.
      try Files.write(RandomBytes.make(32), to: path, mode: 0o600, replacing: false)
    } catch {
      guard error.error == EEXIST else { throw Fault(.sealKey, error.description) }
    }
    try checkPermissions(of: path)
    return try read(path)
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
