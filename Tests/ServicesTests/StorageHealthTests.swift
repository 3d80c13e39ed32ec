import Domain
import Foundation
import Services
import Storage
import TestSupport
import Testing

@Suite("What the board says of the store")
struct StorageHealthTests {
  @Test("a sound one is well")
  func sound() async throws {
    let store = try TemporaryDatabase()
    let board = StatusBoard(now: { Timestamp(seconds: 1_000) })
    await board.reportStorage(of: store.database)
    #expect(await board[.storage]?.level == .ok)
  }

  @Test("D02: one that replaced a damaged file stays loud, and names what was set aside")
  func replaced() async throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/soundgate.db"
    try Data(repeating: 0x5A, count: 8_192).write(to: URL(filePath: path))
    let database = try Database(path: path, reserve: 0)
    let board = StatusBoard(now: { Timestamp(seconds: 1_000) })
    for _ in 0..<2 { await board.reportStorage(of: database) }
    let status = try #require(await board[.storage])
    #expect(status.level == .degraded)
    #expect(status.fault?.code == .storeDamaged)
    let aside = try #require(status.fault?.detail.split(separator: " ").last)
    #expect(FileManager.default.fileExists(atPath: String(aside)))
    await database.close()
  }
}
