import Domain
import Foundation
import Host
import Storage
import TestSupport
import Testing

@Suite("The database")
struct DatabaseTests {
  let directory: TemporaryDirectory
  var path: String { directory.file("soundgate.db") }

  init() throws { directory = try TemporaryDirectory() }

  private func open() throws -> Database { try Database(path: path, reserve: 0) }

  @Test("is made new, for its user alone, and found again")
  func opening() async throws {
    let first = try open()
    #expect(first.opening == .fresh)
    try await first.write { try SensorStore($0).save(Sample.sensor()) }
    for suffix in ["", "-wal", "-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(suffix)")
    }
    await first.close()
    let database = try open()
    #expect(database.opening == .existing(migratedFrom: nil))
    #expect(try await database.read { try SensorStore($0).all() } == [Sample.sensor()])
  }

  @Test("leaves one file when closed, and refuses what comes later")
  func closing() async throws {
    let database = try open()
    try await database.write { try SensorStore($0).save(Sample.sensor()) }
    await database.close()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["soundgate.db"])
    await #expect(throws: Fault(.shuttingDown, "the database is closed")) {
      try await database.read { try SensorStore($0).all() }
    }
  }

  @Test("writes ahead, synchronises every commit and holds to its foreign keys")
  func settings() async throws {
    let database = try open()
    let settings = try await database.read { connection in
      try ["journal_mode", "synchronous", "foreign_keys", "auto_vacuum"].map { name in
        try connection.value("SELECT \(name) AS value FROM pragma_\(name)", as: SQLValue.self)
      }
    }
    #expect(settings == [.text("wal"), .integer(2), .integer(1), .integer(2)])
  }

  @Test("undoes everything that a failed transaction wrote, and goes on")
  func rollback() async throws {
    let database = try open()
    await #expect(throws: Fault(.conflict, "no")) {
      try await database.write { connection in
        try SensorStore(connection).save(Sample.sensor())
        throw Fault(.conflict, "no")
      }
    }
    #expect(try await database.read { try SensorStore($0).all() }.isEmpty)
    try await database.write { try SensorStore($0).save(Sample.sensor()) }
    #expect(try await database.read { try SensorStore($0).all() }.count == 1)
  }

  @Test("tells a refused write in status until one succeeds")
  func condition() async throws {
    let database = try open()
    await #expect(throws: Fault.self) {
      try await database.write { try RuleStore($0).insert(Sample.rule()) }
    }
    #expect(await database.condition().fault?.code == .storeWrite)
    try await database.write { try SensorStore($0).save(Sample.sensor()) }
    let condition = await database.condition()
    #expect(condition.fault == nil)
    #expect(condition.logSize > 0 && condition.fileSize > 0 && condition.freeSpace > 0)
  }

  @Test("takes the writes of many tasks one after the other")
  func concurrency() async throws {
    let database = try open()
    let key = SettingKey.retentionPass
    try await database.write { try SettingStore($0).set(key, to: 0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await database.write { connection in
            let settings = SettingStore(connection)
            let count: Int = try settings.value(key) ?? 0
            try settings.set(key, to: count + 1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.read { try SettingStore($0).value(key) } == 200)
  }

  @Test("of a newer version is refused with both numbers, and left as it is")
  func newer() async throws {
    await (try open()).close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[63] = 99  // the last byte of user_version, big-endian at offset 60
    try bytes.write(to: URL(filePath: path))
    let fault = #expect(throws: Fault.self) { try open() }
    #expect(fault?.code == .storeNewer)
    #expect(fault?.detail.contains("schema 99, this program knows 1") == true)
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test("in a directory that is not there cannot be opened")
  func unopened() throws {
    let fault = #expect(throws: Fault.self) {
      try Database(path: directory.file("missing/soundgate.db"), reserve: 0)
    }
    #expect(fault?.code == .storeUnopened)
  }

  @Test("refuses to read a column as what it is not, naming it")
  func mismatch() async throws {
    let database = try open()
    try await database.write { try SettingStore($0).set(.retentionPass, to: "soon") }
    let fault = await #expect(throws: Fault.self) {
      try await database.read { try SettingStore($0).value(.retentionPass, as: Timestamp.self) }
    }
    #expect(fault?.code == .storeDamaged)
    #expect(fault?.detail.contains("column value does not hold a Timestamp") == true)
  }

  @Test(
    "keeps every kind of value as it was given",
    arguments: [
      .null, .integer(.min), .integer(.max), .real(-0.5), .text(""), .text("é\u{0}🎧"), .blob([]),
      .blob([0, 255]),
    ] as [SQLValue])
  func values(_ value: SQLValue) async throws {
    let database = try open()
    let found = try await database.read {
      try $0.value("SELECT ? AS value", value, as: SQLValue.self)
    }
    #expect(found == value)
  }
}

@Suite("An SQLite error")
struct SQLiteErrorTests {
  @Test(
    "has one fault for each thing that people can do about it",
    arguments: [
      (13, Code.storeFull, true),  // SQLITE_FULL
      (4874, .storeFull, true),  // SQLITE_IOERR_SHMSIZE
      (8, .storeReadOnly, false),  // SQLITE_READONLY
      (11, .storeDamaged, false),  // SQLITE_CORRUPT
      (26, .storeDamaged, false),  // SQLITE_NOTADB
      (5, .storeBusy, true),  // SQLITE_BUSY
      (14, .storeUnopened, false),  // SQLITE_CANTOPEN
      (10, .storeWrite, false),  // SQLITE_IOERR
      (19, .storeWrite, false),  // SQLITE_CONSTRAINT
    ] as [(Int32, Code, Bool)])
  func faults(code: Int32, expected: Code, isTransient: Bool) {
    let error = SQLiteError(code: code, message: "words", sql: "SELECT 1")
    let fault = Fault(error, at: "/state/soundgate.db")
    #expect(fault.code == expected)
    // The statement is of no use to whoever has to free the disk.
    #expect(fault.detail == "/state/soundgate.db: words (\(code))")
    #expect(error.isTransient == isTransient)
  }
  @Test(
    "of a file operation is told by what the system said",
    arguments: [
      (ENOSPC, Code.storeFull, "No space left on device"),
      (EDQUOT, .storeFull, "Disk quota exceeded"), (EROFS, .storeReadOnly, "Read-only file system"),
      (EACCES, .storeUnopened, "Permission denied"),
    ])
  func systemErrors(error: Int32, expected: Code, words: String) {
    let fault = Fault(
      SQLiteError(code: 14, message: "unable to open", systemError: error), at: "/state/db")
    #expect(fault == Fault(expected, "/state/db: unable to open, \(words) (14)"))
    let file = Fault(storing: FileError("create", "/state/db", error: error))
    #expect(file == Fault(expected, "create /state/db: \(words)"))
  }
}
