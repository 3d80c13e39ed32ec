import Domain
import Foundation
import Storage
import TestSupport
import Testing

@Suite("A damaged database")
struct DamageTests {
  let directory: TemporaryDirectory
  var path: String { directory.file("soundgate.db") }
  let moment = Timestamp(seconds: 1_796_000_000)

  init() throws { directory = try TemporaryDirectory() }

  private func open() throws -> Database { try Database(path: path, reserve: 0, openedAt: moment) }

  /// A closed database: one sensor, 3 000 readings, 500 alerts.
  private func fill() async throws {
    let database = try open()
    try await database.write { connection in
      try SensorStore(connection).save(Sample.sensor())
      for second in 0..<3_000 {
        try ReadingStore(connection).insert(Sample.reading(at: Sample.start + .seconds(second)))
      }
      for _ in 0..<500 { try AlertStore(connection).insert(Sample.alert()) }
    }
    await database.close()
  }

  private func damage(_ change: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    change(&bytes)
    try bytes.write(to: URL(filePath: path))
  }

  /// A new database works, and the old bytes are kept under a dated name.
  private func expectReplaced(_ database: Database, bytes: Data) async throws {
    guard case .replacedDamaged(let oldPath, let cause) = database.opening else {
      Issue.record("opened as \(database.opening)")
      return
    }
    #expect(oldPath == "\(path).damaged-20261130T005320Z")
    #expect(!cause.isEmpty)
    #expect(try Data(contentsOf: URL(filePath: oldPath)) == bytes)
    try await database.write { try SensorStore($0).save(Sample.sensor()) }
    #expect(try await database.read { try ReadingStore($0).newest() } == nil)
  }

  @Test(
    "D02: is moved aside with a date, and a new one is made",
    arguments: [
      "overwritten", "truncated", "no database at all",
    ])
  func replaced(how: String) async throws {
    // "Corrupt file: moved aside with a date, new one created"
    try await fill()
    try damage { bytes in
      let middle = bytes.count / 2 / 4096 * 4096
      switch how {
      case "overwritten": bytes.replaceSubrange(middle..<middle + 4096, with: Data(count: 4096))
      case "truncated": bytes = bytes.prefix(middle)
      default: bytes = Data("this is a text file, not a database\n".utf8)
      }
    }
    let damaged = try Data(contentsOf: URL(filePath: path))
    try await expectReplaced(open(), bytes: damaged)
  }

  @Test("D02: that is an empty file is not silently taken for a new one")
  func empty() async throws {
    // "never silently empty"
    try Data().write(to: URL(filePath: path))
    try await expectReplaced(open(), bytes: Data())
  }

  @Test("D02: of which only the log is left is not silently taken for a new one")
  func lost() async throws {
    try Data("log".utf8).write(to: URL(filePath: path + "-wal"))
    guard case .replacedDamaged(let oldPath, _) = try open().opening else {
      Issue.record("the log was ignored")
      return
    }
    #expect(try Data(contentsOf: URL(filePath: oldPath + "-wal")) == Data("log".utf8))
  }

  @Test("D02: is also one with another database's log, and the log is not copied into it")
  func foreignLog() async throws {
    try await fill()
    let file = try Data(contentsOf: URL(filePath: path))
    let stranger = try Database(path: directory.file("other.db"), reserve: 0)
    try await stranger.write { try OutboxStore($0).append(Sample.message()) }
    let log = try Data(contentsOf: URL(filePath: directory.file("other.db-wal")))
    try log.write(to: URL(filePath: path + "-wal"))
    let database = try open()
    try await expectReplaced(database, bytes: file)
    #expect(try Data(contentsOf: URL(filePath: path + ".damaged-20261130T005320Z-wal")) == log)
  }

  @Test("met in use is named by its code, and looked for by the next start")
  func inUse() async throws {
    let database = try open()
    for _ in 0..<2 {
      try await database.write { connection in
        for _ in 0..<1_000 {
          try OutboxStore(connection).append(
            OutboxMessage(
              id: UUID(), createdAt: moment, body: Array(repeating: 7, count: 4_000),
              nextAttempt: moment))
        }
      }
      try await database.tidy()
    }
    // The log starts over with this, so that the pages are read from the file again.
    try await database.write { try SensorStore($0).save(Sample.sensor()) }
    try damage { $0.replaceSubrange(4096..., with: Data(repeating: 0xAA, count: $0.count - 4096)) }
    let fault = await #expect(throws: Fault.self) {
      try await database.read { try OutboxStore($0).due(at: moment, limit: 2_000).count }
    }
    #expect(fault?.code == .storeDamaged)
    #expect(FileManager.default.fileExists(atPath: path + ".check"))
    await database.close()
    guard case .replacedDamaged = try open().opening else {
      Issue.record("the damage was not found")
      return
    }
    #expect(!FileManager.default.fileExists(atPath: path + ".check"))
  }

  @Test("twice in one second gets two names")
  func twice() throws {
    for name in ["damaged-20261130T005320Z", "damaged-20261130T005320Z-2"] {
      try Data().write(to: URL(filePath: path))
      guard case .replacedDamaged(let oldPath, _) = try open().opening else {
        Issue.record("not replaced")
        return
      }
      #expect(oldPath == "\(path).\(name)")
    }
  }
}
