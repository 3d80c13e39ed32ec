import Domain
import Foundation
import Storage
import TestSupport
import Testing

@Suite("The schema")
struct SchemaTests {
  /// A statement that the database must refuse, after one sensor and one completed enrolment.
  struct Refusal: CustomTestStringConvertible {
    let rule: String
    let sql: String
    var testDescription: String { rule }
  }

  static let refusals = [
    Refusal(
      rule: "a chip id of lower-case digits",
      sql: "UPDATE sensor SET id = 'a0b1c2d3e4f5'"),
    Refusal(
      rule: "a chip id of eleven digits",
      sql: "UPDATE sensor SET id = 'A0B1C2D3E4F'"),
    Refusal(
      rule: "a second sensor with the same chip id",
      sql: """
        INSERT INTO sensor (id, kind, name, enrolled_at)
        SELECT id, kind, name, enrolled_at FROM sensor
        """),
    Refusal(
      rule: "text in place of a time",
      sql: "UPDATE sensor SET enrolled_at = 'yesterday'"),
    Refusal(
      rule: "a level over 100 %",
      sql: """
        INSERT INTO reading (at, series, seq, is_dated, boot, uptime, content_hash, sound_pct)
        VALUES (0, 1, 0, 1, 1, 1, 1, 101)
        """),
    Refusal(
      rule: "a truth other than 0 and 1",
      sql: """
        INSERT INTO reading (at, series, seq, is_dated, boot, uptime, content_hash, sound_pct)
        VALUES (0, 1, 0, 2, 1, 1, 1, 50)
        """),
    Refusal(
      rule: "a rule of an unknown sensor",
      sql: """
        INSERT INTO rule VALUES
          ('r', '001122334455', 't', 'soundPct', '>', 80.0, 60, 'l', 'high', 1)
        """),
    Refusal(
      rule: "an unknown operator",
      sql: """
        INSERT INTO rule VALUES
          ('r', 'A0B1C2D3E4F5', 't', 'soundPct', '=>', 80.0, 60, 'l', 'high', 1)
        """),
    Refusal(
      rule: "an alert in an unknown state",
      sql: """
        INSERT INTO alert (id, kind, severity, state, at, label)
        VALUES ('a', 'rule', 'high', 'seen', 0, '')
        """),
    Refusal(
      rule: "a completed enrolment being opened again",
      sql: "UPDATE enrolment SET is_completed = 0"),
    Refusal(
      rule: "any change of a completed enrolment",
      sql: "UPDATE enrolment SET progress = '{}'"),
    Refusal(rule: "the loss of an enrolment", sql: "DELETE FROM enrolment"),
    Refusal(rule: "a change in the audit log", sql: "UPDATE audit SET why = 'nothing'"),
    Refusal(rule: "a deletion from the audit log", sql: "DELETE FROM audit"),
    Refusal(
      rule: "a replacement in the audit log",
      sql: "INSERT OR REPLACE INTO audit SELECT * FROM audit"),
    Refusal(
      rule: "an audit entry without an enrolment",
      sql: """
        INSERT INTO audit (enrolment, at, operator, to_state, why, step)
        VALUES ('none', 0, 'anne', 'scanning', '', 1)
        """),
    Refusal(
      rule: "a live account without a password",
      sql: "INSERT INTO account VALUES ('u', 'A0B1C2D3E4F5', 1, NULL, 'opened', 0)"),
    Refusal(
      rule: "a network name of 33 bytes",
      sql: "INSERT INTO network VALUES ('0123456789abcdef0123456789abcdeé', x'00', 0)"),
  ]

  @Test("refuses", arguments: refusals)
  func refuses(_ refusal: Refusal) async throws {
    let store = try TemporaryDatabase()
    try await store.write { connection in
      try SensorStore(connection).save(Sample.sensor())
      try complete(Sample.enrolment(sensor: Sample.id), in: connection)
    }
    let error = try await store.write { connection -> SQLiteError? in
      do {
        try connection.run(refusal.sql)
        return nil
      } catch let error as SQLiteError {
        return error
      }
    }
    #expect(error?.isConstraint == true, "\(error?.description ?? "accepted")")
  }

  private func complete(_ start: EnrolmentRecord, in connection: SQLConnection) throws {
    let store = EnrolmentStore(connection)
    try store.insert(start)
    var record = start
    for step in 2...5 {
      record.step = step
      #expect(try store.update(record))
    }
    record.isCompleted = true
    #expect(try store.update(record))
    try AuditStore(connection).append(
      AuditEntry(
        enrolment: record.id, at: Sample.start, operatorName: "anne", from: nil, to: "completed",
        why: "registered", step: 5))
  }
}

@Suite("The steps of the schema")
struct MigrationTests {
  let directory: TemporaryDirectory
  var path: String { directory.file("soundgate.db") }

  init() throws { directory = try TemporaryDirectory() }

  private func open(_ steps: [Migration] = Schema.migrations) throws -> Database {
    try Database(path: path, reserve: 0, migrations: steps)
  }

  private func schema(of database: Database) async throws -> [String] {
    try await database.read { connection in
      try connection.query(
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name"
      ) { (row: SQLRow) throws(SQLiteError) -> String in try row["sql"] }
    }
  }

  @Test("bring version 1, as it was released, to what a new file has, with its rows")
  func fromVersion1() async throws {
    let old = try open([Migration(version: 1, script: ReleasedSchema.version1)])
    _ = try await old.write { connection in
      try connection.run(
        """
        INSERT INTO sensor (id, kind, name, enrolled_at) VALUES ('A0B1C2D3E4F5', 'SOUND', 'Cave', 7)
        """)
    }
    await old.close()
    let updated = try open()
    let fresh = try TemporaryDatabase()
    #expect(try await schema(of: updated) == schema(of: fresh.database))
    #expect(
      try await updated.read { try SensorStore($0).all() } == [
        Sensor(
          id: Sample.id, name: try SensorName("Cave"), enrolledAt: Timestamp(milliseconds: 7))
      ])
  }

  @Test("are taken up where they broke off")
  func resumed() async throws {
    let second = Migration(version: 2, script: "CREATE TABLE second (a INTEGER) STRICT")
    let third = "CREATE TABLE third (a INTEGER) STRICT"
    await (try open()).close()
    #expect(throws: Fault.self) {
      try open(
        Schema.migrations + [second, Migration(version: 3, script: third + "; NOT EVEN SQL")])
    }
    let database = try open(
      Schema.migrations + [second, Migration(version: 3, script: third)])
    #expect(database.opening == .existing(migratedFrom: 2))
    let tables = try await schema(of: database)
    #expect(tables.contains(second.script) && tables.contains(third))
  }
}
