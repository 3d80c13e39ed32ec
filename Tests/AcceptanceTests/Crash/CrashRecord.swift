import Domain
import Foundation
import Storage

/// What is on the disk after a crash, read from a copy: the daemon must recover its own file itself.
struct CrashRecord: Sendable {
  /// `ok`, or what `PRAGMA integrity_check` complains of.
  let integrity: [String]
  /// Of the alerts that go to the backend.
  let alerts: Set<String>
  /// The contents stored, of one sensor's readings each.
  let readings: [SensorID: [UInt64]]

  init(copying database: String, into directory: String) async throws {
    let copy = "\(directory)/copy.db"
    for suffix in ["", "-wal"] {
      try? FileManager.default.removeItem(atPath: copy + suffix)
      if FileManager.default.fileExists(atPath: database + suffix) {
        try FileManager.default.copyItem(atPath: database + suffix, toPath: copy + suffix)
      }
    }
    let opened = try Database(path: copy, reserve: 0)
    guard case .existing = opened.opening else {
      throw Fault(.storeUnopened, "\(opened.opening)")
    }
    self = try await opened.read { connection in
      let integrity = try connection.query("PRAGMA integrity_check") {
        row throws(SQLiteError) -> String in try row["integrity_check"]
      }
      let alerts = try connection.query("SELECT id FROM alert WHERE kind <> 'refused'") {
        row throws(SQLiteError) -> UUID in try row["id"]
      }
      let rows = try connection.query(
        "SELECT id AS sensor, content_hash FROM reading JOIN sensor USING (series)"
      ) { row throws(SQLiteError) -> (SensorID, Int64) in
        (try row["sensor"], try row["content_hash"])
      }
      return CrashRecord(
        integrity: integrity, alerts: Set(alerts.map { $0.uuidString.lowercased() }),
        readings: Dictionary(grouping: rows, by: \.0)
          .mapValues { $0.map { UInt64(bitPattern: $0.1) } })
    }
    await opened.close()
  }

  private init(
    integrity: [String], alerts: Set<String>, readings: [SensorID: [UInt64]]
  ) {
    self.integrity = integrity
    self.alerts = alerts
    self.readings = readings
  }
}
