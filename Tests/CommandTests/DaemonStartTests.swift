import Domain
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A daemon that cannot start", .timeLimit(.minutes(1)))
struct DaemonStartTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func run(_ configuration: String, locale: String = "en_US.UTF-8") async throws -> Program
  {
    let file = directory.file("soundgate.conf")
    try configuration.write(toFile: file, atomically: true, encoding: .utf8)
    return try await Program.run(["run", "--config", file], locale: locale)
  }

  private func storage(_ path: String) -> String { "[storage]\ndirectory = \(path)\n" }

  @Test("for want of its state directory says so, with the directory and the reason")
  func noState() async throws {
    let run = try await run(storage("/dev/null/state"))
    #expect(run.status == 6)
    #expect(run.errors.contains("[SG-STORE-601]"), "\(run.errors)")
    #expect(run.errors.contains("create /dev/null/state: Not a directory"))
  }

  @Test(
    "on a disk that is full or read-only says so, and speaks neither of keys nor of statements",
    .enabled(if: Disk(flags: 0, options: "") != nil, "needs the right to mount a tmpfs"),
    arguments: [
      (UInt(MS_RDONLY), "", Code.storeReadOnly, "Read-only file system"),
      (0, "nr_inodes=1", .storeFull, "No space left on device"),
    ], ["", "/state"])
  func disk(_ kind: (UInt, String, Code, String), below: String) async throws {
    let (flags, options, code, reason) = kind
    let disk = try #require(Disk(flags: flags, options: options))
    for locale in ["en_US.UTF-8", "fr_FR.UTF-8"] {
      let run = try await run(storage(disk.path + below), locale: locale)
      #expect(run.status == 6)
      #expect(run.errors.contains("[\(code)]"), "\(run.errors)")
      #expect(run.errors.contains(disk.path + below) && run.errors.contains(reason))
      #expect(!run.errors.contains("PRAGMA") && !run.errors.contains("SG-STORE-608"))
    }
  }

  @Test("for want of its socket's directory names it, and does not make it")
  func noSocketDirectory() async throws {
    let missing = directory.file("run")
    let run = try await run(
      storage(directory.file("state")) + "[control]\nsocket = \(missing)/control.sock\n")
    #expect(run.status == 2)
    #expect(run.errors.contains("its directory \(missing) cannot be used: No such file"))
    #expect(run.errors.contains("hint: make it first: sudo install -d"))
    #expect(!FileManager.default.fileExists(atPath: missing))
  }
}

/// A disk of its own that takes no file.
private final class Disk: Sendable {
  let path: String
  private let directory: TemporaryDirectory

  init?(flags: UInt, options: String) {
    guard let directory = try? TemporaryDirectory(),
      mount("tmpfs", directory.path, "tmpfs", flags, options) == 0
    else { return nil }
    self.directory = directory
    path = directory.path
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }
}
