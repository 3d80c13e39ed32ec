import Foundation
import Glibc
import Host
import TestSupport
import Testing

@Suite("A file written whole")
struct FilesTests {
  @Test("has its content and mode, and leaves nothing beside it")
  func writes() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a")
    try Files.write([1, 2, 3], to: path, mode: 0o644)
    try Files.write([4], to: path, mode: 0o600)
    #expect(try Files.read(path, atMost: 1) == [4])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a"])
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o600)
  }

  @Test("does not replace another when told not to")
  func keeps() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("a")
    try Files.write([1], to: path, mode: 0o600, replacing: false)
    #expect(throws: FileError("write", path, error: EEXIST)) {
      try Files.write([2], to: path, mode: 0o600, replacing: false)
    }
    #expect(try Files.read(path, atMost: 10) == [1])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a"])
  }

  @Test("says what was refused, where and why")
  func refuses() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("no/such")
    let error = #expect(throws: FileError.self) { try Files.write([], to: path, mode: 0o600) }
    #expect(error?.description == "create a file beside \(path): No such file or directory")
    try Files.write([1, 2, 3], to: directory.file("big"), mode: 0o600)
    #expect(throws: FileError("read", directory.file("big"), error: EFBIG)) {
      try Files.read(directory.file("big"), atMost: 2)
    }
  }
}
