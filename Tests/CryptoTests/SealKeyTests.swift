import Crypto
import Domain
import Glibc
import Host
import TestSupport
import Testing

@Suite("A seal key")
struct SealKeyTests {
  private let key = SealKey.temporary()

  @Test(
    "opens what it sealed",
    arguments: ["", "p", "clé Wi-Fi 🔑", String(repeating: "x", count: 999)])
  func opens(text: String) throws {
    let sealed = key.seal(Secret(text), for: "network:a")
    #expect(try key.open(sealed, for: "network:a").reveal() == text)
    #expect(sealed.count == 1 + 24 + text.utf8.count + 16)
  }

  @Test("never seals twice alike, and shows nothing of the text")
  func isFresh() {
    let first = key.seal(Secret("marker-secret"), for: "a")
    let second = key.seal(Secret("marker-secret"), for: "a")
    #expect(first != second)
    #expect(!String(decoding: first, as: UTF8.self).contains("marker"))
  }

  @Test("opens for no other purpose and with no other key")
  func isBound() {
    let sealed = key.seal(Secret("a"), for: "account:1")
    #expect(throws: Fault.self) { try key.open(sealed, for: "account:2") }
    #expect(throws: Fault.self) { try SealKey.temporary().open(sealed, for: "account:1") }
  }

  @Test("opens nothing damaged, cut short or of another format")
  func isDamaged() {
    let sealed = key.seal(Secret("abc"), for: "a")
    for index in sealed.indices {
      var damaged = sealed
      damaged[index] ^= 1
      let fault = #expect(throws: Fault.self) { try key.open(damaged, for: "a") }
      #expect(fault?.code == .sealKey)
      #expect(throws: Fault.self) { try key.open(Array(sealed[..<index]), for: "a") }
    }
  }

  @Test("opens a value sealed by the first version of the format")
  func keepsFormat() throws {
    let key = try #require(SealKey(Array(0..<32)))
    // Made with libsodium's crypto_aead_xchacha20poly1305_ietf_encrypt from another program.
    let sealed = bytes(
      "01" + "404142434445464748494a4b4c4d4e4f5051525354555657"
        + "bc4c6b04b5924b2475fe9faf2093c1825c3f8e9f9f6b312a")
    #expect(try key.open(sealed, for: "network:cafe").reveal() == "hunter22")
  }

  @Test("is not shown by any way of printing it")
  func isSilent() {
    #expect("\(key) \(String(reflecting: key))" == "•••• ••••")
    var dumped = ""
    dump(key, to: &dumped)
    #expect(!dumped.contains("key"))
  }
}

@Suite("The seal key's file")
struct SealKeyFileTests {
  @Test("is made at the first start, for its owner alone, and kept")
  func isMade() throws {
    let directory = try TemporaryDirectory()
    let sealed = try SealKey.load(credentials: nil, stateDirectory: directory.path)
      .seal(Secret("a"), for: "b")
    let again = try SealKey.load(credentials: nil, stateDirectory: directory.path)
    #expect(try again.open(sealed, for: "b").reveal() == "a")
    var status = stat()
    #expect(stat(directory.file("seal.key"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(status.st_size == 32)
  }

  @Test(
    "is used as it is on a disk that takes no file any more",
    .enabled(if: Disk() != nil, "needs the right to mount a tmpfs"))
  func fullDisk() throws {
    let disk = try #require(Disk())
    let sealed = try SealKey.load(credentials: nil, stateDirectory: disk.path)
      .seal(Secret("a"), for: "b")
    try disk.refuse()
    let again = try SealKey.load(credentials: nil, stateDirectory: disk.path)
    #expect(try again.open(sealed, for: "b").reveal() == "a")
  }

  @Test("gives way to a credential of the service manager")
  func credential() throws {
    let directory = try TemporaryDirectory()
    let key = [UInt8](repeating: 7, count: 32)
    try Files.write(key, to: directory.file("soundgate.seal"), mode: 0o440)
    let loaded = try SealKey.load(credentials: directory.path, stateDirectory: "/nowhere")
    let sealed = try #require(SealKey(key)).seal(Secret("a"), for: "b")
    #expect(try loaded.open(sealed, for: "b").reveal() == "a")
  }

  @Test("is refused when others may read it")
  func openToOthers() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("seal.key")
    try Files.write([UInt8](repeating: 7, count: 32), to: path, mode: 0o640)
    let expected = Fault(
      .sealKey, "\(path) has mode 640: others may read it; chmod 600 \(path)")
    #expect(throws: expected) {
      try SealKey.load(credentials: nil, stateDirectory: directory.path)
    }
  }

  @Test("is refused with a wrong size", arguments: [0, 31, 33, 64])
  func size(count: Int) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("seal.key")
    try Files.write([UInt8](repeating: 7, count: count), to: path, mode: 0o600)
    #expect(throws: Fault(.sealKey, "\(path) holds \(count) bytes, not 32")) {
      try SealKey.load(credentials: nil, stateDirectory: directory.path)
    }
  }

  @Test("that cannot be made is no lost key but trouble with the state directory")
  func noDirectory() {
    let fault = #expect(throws: Fault.self) {
      try SealKey.load(credentials: nil, stateDirectory: "/nowhere")
    }
    #expect(fault?.code == .storeUnopened)
    #expect(fault?.detail.contains("/nowhere/seal.key") == true)
    #expect(fault?.detail.contains("No such file or directory") == true)
  }
}

/// A disk of its own, in memory.
private final class Disk: Sendable {
  let path: String
  private let directory: TemporaryDirectory

  init?() {
    guard let directory = try? TemporaryDirectory(),
      mount("tmpfs", directory.path, "tmpfs", 0, "") == 0
    else { return nil }
    self.directory = directory
    path = directory.path
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  /// From now on nothing can be written to it.
  func refuse() throws(FileError) {
    guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0 else {
      throw FileError("remount", path)
    }
  }
}

func bytes(_ hex: String) -> [UInt8] {
  stride(from: 0, to: hex.count, by: 2).map { offset in
    UInt8(hex.dropFirst(offset).prefix(2), radix: 16) ?? 0
  }
}
