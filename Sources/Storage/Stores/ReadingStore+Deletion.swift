import Domain

extension ReadingStore {
  /// Deletes the oldest readings before `moment`, about `limit` of them.
  ///
  /// - Returns: how many; fewer than `limit` when none is left.
  package func deleteOlder(than moment: Timestamp, limit: Int) throws(SQLiteError) -> Int {
    // Rows of the last millisecond go together, so that a batch always gets ahead.
    let last: Timestamp? = try connection.value(
      "SELECT at AS value FROM reading ORDER BY at LIMIT 1 OFFSET ?", limit - 1)
    guard let last, last < moment else {
      return try connection.run("DELETE FROM reading WHERE at < ?", moment)
    }
    return try connection.run("DELETE FROM reading WHERE at <= ?", last)
  }

  /// Deletes the rows of purged sensors among the next `limit` readings after `position`.
  ///
  /// - Parameter position: nil to start; then what the call before answered.
  /// - Returns: where to go on; nil when the last row was reached, and the purge is complete.
  package func deletePurged(
    after position: Timestamp?, limit: Int
  ) throws(SQLiteError) -> Timestamp? {
    let start = position ?? Timestamp(milliseconds: .min)
    let pending: Int = try connection.value("SELECT count(*) AS value FROM purged_series") ?? 0
    guard pending > 0 else { return nil }
    let end: Timestamp? = try connection.value(
      "SELECT at AS value FROM reading WHERE at > ? ORDER BY at LIMIT 1 OFFSET ?", start, limit - 1)
    try connection.run(
      """
      DELETE FROM reading WHERE at > ?1 AND at <= ?2
        AND series IN (SELECT series FROM purged_series)
      """, start, end ?? Timestamp(milliseconds: .max))
    return end
  }

  /// Forgets the purged sensors' histories after a complete pass of `deletePurged`; those that were
  /// purged since it began are left for the next.
  package func finishPurge(of series: [Int64]) throws(SQLiteError) {
    for one in series { try connection.run("DELETE FROM purged_series WHERE series = ?", one) }
  }

  /// The histories that are still to be deleted.
  package func purgedSeries() throws(SQLiteError) -> [Int64] {
    try connection.query("SELECT series FROM purged_series ORDER BY series") {
      (row: SQLRow) throws(SQLiteError) -> Int64 in try row["series"]
    }
  }

  /// The time of the newest reading of all.
  package func newest() throws(SQLiteError) -> Timestamp? {
    try connection.value("SELECT at AS value FROM reading ORDER BY at DESC LIMIT 1")
  }
}
