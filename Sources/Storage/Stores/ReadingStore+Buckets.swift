import Domain

extension ReadingStore {
  /// The readings of a sensor in slices of `width` from `from` on, up to, not including, `to`. Each
  /// bucket starts at `from` plus a multiple of `width`; empty slices are left out.
  package func buckets(
    _ id: SensorID, from: Timestamp, to: Timestamp, width: Duration
  ) throws(SQLiteError) -> [LevelBucket] {
    try connection.query(
      """
      SELECT \(Self.bucketColumns) FROM reading
      WHERE at >= ?1 AND at < ?2
        AND series = (SELECT series FROM sensor WHERE id = ?4 AND removed_at IS NULL)
      GROUP BY slice ORDER BY slice
      """, from, to, max(1, width.milliseconds), id, as: LevelBucket.init(row:))
  }

  /// The buckets of every sensor over the same span, from one pass over it.
  package func buckets(
    from: Timestamp, to: Timestamp, width: Duration
  ) throws(SQLiteError) -> [SensorID: [LevelBucket]] {
    let rows = try connection.query(
      """
      SELECT sensor.id AS sensor, \(Self.bucketColumns) FROM reading JOIN sensor USING (series)
      WHERE at >= ?1 AND at < ?2 AND removed_at IS NULL
      GROUP BY series, slice ORDER BY series, slice
      """, from, to, max(1, width.milliseconds)
    ) { (row: SQLRow) throws(SQLiteError) -> (SensorID, LevelBucket) in
      (try row["sensor"], try LevelBucket(row: row))
    }
    return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
  }

  private static let bucketColumns = """
    (at - ?1) / ?3 AS slice, ?1 + (at - ?1) / ?3 * ?3 AS start, count(*) AS count, \
    min(sound_pct) AS minimum, avg(sound_pct) AS mean, max(sound_pct) AS maximum, \
    max(sound_max) AS peak, 10 * log10(avg(pow(10, dbfs_avg / 10.0))) AS energy_mean
    """
}

extension LevelBucket {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      start: try row["start"], count: try row["count"], minimum: try row["minimum"],
      mean: try row["mean"], maximum: try row["maximum"], peak: try row["peak"],
      energyMean: try row["energy_mean"])
  }
}
