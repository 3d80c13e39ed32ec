import Domain
import Foundation
import Storage
import TestSupport
import Testing

@Suite("The write-ahead log")
struct LogTests {
  let directory: TemporaryDirectory
  var path: String { directory.file("soundgate.db") }

  init() throws { directory = try TemporaryDirectory() }

  @Test("D02: torn at any place leaves whole transactions and a sound file")
  func torn() async throws {
    // "kill never loses a committed alert or breaks integrity". A kill leaves the file and the log as
    // they were; a power cut may also tear the log, as do the cuts here.
    let database = try Database(path: path, reserve: 0)
    for _ in 0..<20 {
      try await database.write { connection in
        let alert = Sample.alert(nil)
        try AlertStore(connection).insert(alert)
        try OutboxStore(connection).append(
          OutboxMessage(id: alert.id, createdAt: alert.at, body: [], nextAttempt: alert.at))
      }
    }
    let file = try Data(contentsOf: URL(filePath: path))
    let log = try Data(contentsOf: URL(filePath: path + "-wal"))
    var counts: [Int] = []
    for cut in stride(from: 0, through: log.count, by: max(1, log.count / 37)) + [log.count] {
      let copy = directory.file("cut-\(cut).db")
      try file.write(to: URL(filePath: copy))
      try log.prefix(cut).write(to: URL(filePath: copy + "-wal"))
      let reopened = try Database(path: copy, reserve: 0)
      let (alerts, messages, verdict) = try await reopened.read { connection in
        (
          try AlertStore(connection).unreadCount(), try OutboxStore(connection).counts().waiting,
          try connection.value(
            "SELECT integrity_check AS value FROM pragma_integrity_check", as: String.self)
        )
      }
      #expect(alerts == messages && verdict == "ok", "cut at \(cut)")
      counts.append(alerts)
    }
    #expect(counts == counts.sorted() && counts.last == 20)
  }

  @Test("D01: is small again once a reader has let go")
  func shrinks() async throws {
    // "the file is small again … after release without a restart; status shows WAL size"
    let database = try Database(path: path, reserve: 0)
    try await database.write { try SensorStore($0).save(Sample.sensor()) }
    let reader = HeldReader(try Database(path: path, reserve: 0))
    await reader.hold()
    for batch in 0..<30 {
      try await database.write { connection in
        for _ in 0..<100 {
          try OutboxStore(connection).append(
            OutboxMessage(
              id: UUID(), createdAt: Sample.start, body: Array(repeating: 7, count: 4000),
              nextAttempt: Sample.start + .seconds(batch)))
        }
      }
    }
    try await database.tidy()
    #expect(await database.condition().logSize > 8 << 20)
    await reader.letGo()
    try await database.tidy()
    #expect(await database.condition().logSize <= 4 << 20)
  }
}

/// Keeps a second connection in the middle of a query, as a half-read export does.
private struct HeldReader {
  private let database: Database
  private let gate = DispatchSemaphore(value: 0)
  private let entered = AsyncStream<Void>.makeStream()
  private let left = AsyncStream<Void>.makeStream()

  init(_ database: Database) { self.database = database }

  func hold() async {
    Task { [database, gate, entered, left] in
      try await database.read { connection in
        _ = try connection.query("SELECT id FROM sensor") { (_: SQLRow) throws(SQLiteError) in
          entered.continuation.finish()
          gate.wait()
        }
      }
      left.continuation.finish()
    }
    for await _ in entered.stream {}
  }

  func letGo() async {
    gate.signal()
    for await _ in left.stream {}
  }
}
