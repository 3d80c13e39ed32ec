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
  /// How many readings there are of one sound.
  let sounds: [Sound: Int]

  /// What an alert tells of a reading. The load may publish the same one again within a second.
  struct Sound: Hashable {
    let sensor: String
    let at: Timestamp
    let dbfs: Int
  }

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
        "SELECT id AS sensor, content_hash, at, dbfs_avg FROM reading JOIN sensor USING (series)"
      ) { row throws(SQLiteError) -> (SensorID, Int64, Sound?) in
        let sensor: SensorID = try row["sensor"]
        let dbfs: Int? = try row["dbfs_avg"]
        let at: Timestamp = try row["at"]
        let sound = dbfs.map { Sound(sensor: sensor.text, at: at, dbfs: $0) }
        return (sensor, try row["content_hash"], sound)
      }
      return CrashRecord(
        integrity: integrity, alerts: Set(alerts.map { $0.uuidString.lowercased() }),
        readings: Dictionary(grouping: rows, by: \.0)
          .mapValues { $0.map { UInt64(bitPattern: $0.1) } },
        sounds: Dictionary(rows.compactMap(\.2).map { ($0, 1) }, uniquingKeysWith: +))
    }
    await opened.close()
  }

  private init(
    integrity: [String], alerts: Set<String>, readings: [SensorID: [UInt64]],
    sounds: [Sound: Int]
  ) {
    self.integrity = integrity
    self.alerts = alerts
    self.readings = readings
    self.sounds = sounds
  }
}
