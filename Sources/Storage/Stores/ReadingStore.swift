import Domain

/// The raw readings, keyed by time.
///
/// Firmware, address and the like are not kept with each row: `SensorState` has the newest.
package struct ReadingStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  /// What became of a reading handed over.
  package enum Insertion: Hashable, Sendable {
    case stored
    /// The disk is full; counted in `StoreCondition.droppedReadings`.
    case dropped
    /// No such sensor, or it is removed.
    case unknownSensor
  }

  /// Stores a reading; two of one sensor in the same millisecond are both kept.
  ///
  /// - Parameter evenIfHidden: for a sensor under enrolment, which `SensorStore.prepare` has made
  ///   known.
  @discardableResult
  package func insert(
    _ reading: Reading, evenIfHidden: Bool = false
  ) throws(SQLiteError) -> Insertion {
    let series: Int64? = try connection.value(
      "SELECT series AS value FROM sensor WHERE id = ? AND (removed_at IS NULL OR ?)",
      reading.sensor, evenIfHidden)
    guard let series else { return .unknownSensor }
    guard !connection.isSpaceShort else {
      connection.droppedReadings += 1
      return .dropped
    }
    let seq: Int64 =
      try connection.value(
        "SELECT coalesce(max(seq) + 1, 0) AS value FROM reading WHERE at = ? AND series = ?",
        reading.at, series) ?? 0
    let sound = reading.sound
    let columns = Self.columns
    try connection.run(
      """
      INSERT INTO reading (at, series, seq, \(columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
      """,
      reading.at, series, seq, reading.isDated, reading.boot, sound.uptime,
      Int64(bitPattern: sound.contentHash), sound.soundPct, sound.soundAvg, sound.soundMin,
      sound.soundMax, sound.dbfsAvg, sound.dbfsEwma, sound.rssi)
    try connection.run(
      """
      INSERT OR REPLACE INTO latest_reading (at, series, seq, \(columns))
      SELECT at, series, seq, \(columns) FROM reading
      WHERE at = ?1 AND series = ?2 AND seq = ?3
        AND NOT EXISTS (SELECT 1 FROM latest_reading AS known WHERE known.series = ?2
          AND (known.at, known.seq) > (?1, ?3))
      """, reading.at, series, seq)
    return .stored
  }

  private static let columns = """
    is_dated, boot, uptime, content_hash, sound_pct, sound_avg, sound_min, sound_max, dbfs_avg, \
    dbfs_ewma, rssi
    """

  /// The newest reading of a sensor, however old.
  ///
  /// - Parameter evenIfHidden: for a sensor under enrolment.
  package func latest(
    _ id: SensorID, evenIfHidden: Bool = false
  ) throws(SQLiteError) -> Reading? {
    try connection.first(
      """
      SELECT sensor.id AS sensor, latest_reading.* FROM sensor JOIN latest_reading USING (series)
      WHERE sensor.id = ?1 AND (removed_at IS NULL OR ?2)
      """, id, evenIfHidden, as: Reading.init(row:))
  }

  /// The newest reading of each sensor in use.
  package func latest() throws(SQLiteError) -> [Reading] {
    try connection.query(
      """
      SELECT sensor.id AS sensor, latest_reading.* FROM sensor JOIN latest_reading USING (series)
      WHERE removed_at IS NULL
      """, as: Reading.init(row:))
  }

  /// The keys of the newest readings by time, oldest first: a redelivery is among them.
  package func recentKeys(_ limit: Int) throws(SQLiteError) -> [ReadingKey] {
    try connection.query(
      """
      SELECT sensor.id AS sensor, boot, uptime, content_hash
      FROM reading JOIN sensor USING (series) ORDER BY at DESC LIMIT ?
      """, limit
    ) { (row: SQLRow) throws(SQLiteError) -> ReadingKey in
      ReadingKey(
        sensor: try row["sensor"], boot: try row["boot"], uptime: try row["uptime"],
        contentHash: UInt64(bitPattern: try row["content_hash"]))
    }.reversed()
  }
}

extension Reading {
  /// A row of `reading` or `latest_reading`, with the chip id as column `sensor`.
  init(row: SQLRow) throws(SQLiteError) {
    let hash: Int64 = try row["content_hash"]
    self.init(
      sensor: try row["sensor"], at: try row["at"], isDated: try row["is_dated"],
      boot: try row["boot"],
      sound: SoundStatus(
        soundPct: try row["sound_pct"], soundAvg: try row["sound_avg"],
        soundMin: try row["sound_min"], soundMax: try row["sound_max"],
        dbfsAvg: try row["dbfs_avg"], dbfsEwma: try row["dbfs_ewma"], uptime: try row["uptime"],
        rssi: try row["rssi"], contentHash: UInt64(bitPattern: hash)))
  }
}
