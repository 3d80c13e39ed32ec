import Domain

/// The sensors of this gateway, and the removed ones whose history is kept.
package struct SensorStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  /// The sensors in use, by name.
  package func all() throws(SQLiteError) -> [Sensor] {
    try connection.query(
      "SELECT * FROM sensor WHERE removed_at IS NULL ORDER BY name, id", as: Sensor.init(row:))
  }

  /// - Returns: nil for an unknown sensor and for a removed one.
  package func find(_ id: SensorID) throws(SQLiteError) -> Sensor? {
    try connection.first(
      "SELECT * FROM sensor WHERE id = ? AND removed_at IS NULL", id, as: Sensor.init(row:))
  }

  /// What is known of a sensor, in use or not.
  package func remembered(_ id: SensorID) throws(SQLiteError) -> Sensor? {
    try connection.first("SELECT * FROM sensor WHERE id = ?", id, as: Sensor.init(row:))
  }

  /// The removed sensors whose history is kept, newest removal first.
  package func removed() throws(SQLiteError) -> [RemovedSensor] {
    try connection.query(
      "SELECT * FROM sensor WHERE removed_at IS NOT NULL ORDER BY removed_at DESC, id",
      as: RemovedSensor.init(row:))
  }

  /// Inserts a sensor or updates the one with this chip id; a removed one returns with its history
  /// and its rules.
  package func save(_ sensor: Sensor) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO sensor (id, kind, name, enrolled_at, calibration_offset, account)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT (id) DO UPDATE SET
        kind = excluded.kind, name = excluded.name, enrolled_at = excluded.enrolled_at,
        calibration_offset = excluded.calibration_offset, account = excluded.account,
        removed_at = NULL
      """,
      sensor.id, sensor.kind, sensor.name, sensor.enrolledAt, sensor.calibrationOffset,
      sensor.account)
  }

  /// Makes a sensor under enrolment known, hidden like a removed one, so that its first readings can
  /// be stored before it is named; `save` brings it out. One that is known stays as it is.
  package func prepare(_ id: SensorID, at time: Timestamp) throws(SQLiteError) {
    try connection.run(
      """
      INSERT OR IGNORE INTO sensor (id, kind, name, enrolled_at, removed_at)
      VALUES (?1, ?2, ?1, ?3, ?3)
      """, id, SensorKind.sound, time)
  }

  /// - Returns: false when there is no such sensor.
  package func rename(_ id: SensorID, to name: SensorName) throws(SQLiteError) -> Bool {
    try connection.run(
      "UPDATE sensor SET name = ?2 WHERE id = ?1 AND removed_at IS NULL", id, name) == 1
  }

  /// - Parameter offset: what is added to dBFS to give dB; nil undoes the calibration.
  /// - Returns: false when there is no such sensor.
  package func setCalibration(_ id: SensorID, offset: Double?) throws(SQLiteError) -> Bool {
    try connection.run(
      "UPDATE sensor SET calibration_offset = ?2 WHERE id = ?1 AND removed_at IS NULL", id, offset)
      == 1
  }

  /// Removes a sensor: it is hidden and its history kept, or with `purge` all of it is gone at once.
  ///
  /// - Returns: false when there is no such sensor. A removed one can still be purged.
  package func remove(_ id: SensorID, at: Timestamp, purge: Bool) throws(SQLiteError) -> Bool {
    if purge {
      guard let series = try series(of: id) else { return false }
      try forget(id, series: series)
      return true
    }
    return try connection.run(
      "UPDATE sensor SET removed_at = ?2, account = NULL WHERE id = ?1 AND removed_at IS NULL",
      id, at) == 1
  }

  /// Purges the sensors removed before `moment`.
  ///
  /// - Returns: how many.
  package func purgeRemoved(before moment: Timestamp) throws(SQLiteError) -> Int {
    let due = try connection.query(
      "SELECT series, id FROM sensor WHERE removed_at < ?", moment
    ) { (row: SQLRow) throws(SQLiteError) -> (Int64, SensorID) in
      (try row["series"], try row["id"])
    }
    for (series, id) in due { try forget(id, series: series) }
    return due.count
  }

  private func series(of id: SensorID) throws(SQLiteError) -> Int64? {
    try connection.value("SELECT series AS value FROM sensor WHERE id = ?", id)
  }

  /// The rows of the history are too many for one transaction: they cannot be found any more at
  /// once, and `ReadingStore.deletePurged` deletes them in batches.
  private func forget(_ id: SensorID, series: Int64) throws(SQLiteError) {
    try connection.run("INSERT OR IGNORE INTO purged_series (series) VALUES (?)", series)
    try connection.run("DELETE FROM alert WHERE sensor = ?", id)
    try connection.run("DELETE FROM sensor WHERE series = ?", series)
  }
}

/// A sensor that was removed and can still return with its history.
package struct RemovedSensor: Hashable, Sendable {
  package let sensor: Sensor
  package let removedAt: Timestamp
}

extension RemovedSensor {
  init(row: SQLRow) throws(SQLiteError) {
    sensor = try Sensor(row: row)
    removedAt = try row["removed_at"]
  }
}

extension Sensor {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      id: try row["id"], kind: try row["kind"], name: try row["name"],
      enrolledAt: try row["enrolled_at"], calibrationOffset: try row["calibration_offset"],
      account: try row["account"])
  }
}
