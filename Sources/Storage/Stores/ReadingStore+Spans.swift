import Domain

/// Where a page of readings ended, for the next page to start.
package struct ReadingCursor: Hashable, Sendable {
  package let at: Timestamp
  package let seq: Int

  package init(at: Timestamp, seq: Int) {
    self.at = at
    self.seq = seq
  }
}

/// Some readings of one sensor, and where the next page starts; nil after the last.
package struct ReadingPage: Sendable {
  package let readings: [Reading]
  package let next: ReadingCursor?
}

extension ReadingStore {
  /// The readings of a sensor from `from` up to, not including, `to`, in the order of time.
  ///
  /// - Parameter after: the `next` of the page before.
  package func span(
    _ id: SensorID, from: Timestamp, to: Timestamp, after: ReadingCursor? = nil, limit: Int
  ) throws(SQLiteError) -> ReadingPage {
    try page(
      id, limit: limit,
      """
      AND (at, seq) > (?2, ?3) AND at >= ?2 AND at < ?4 ORDER BY at, seq LIMIT ?5
      """, after?.at ?? from, after?.seq ?? -1, to)
  }

  /// The same span, newest first.
  package func spanBackwards(
    _ id: SensorID, from: Timestamp, to: Timestamp, after: ReadingCursor? = nil, limit: Int
  ) throws(SQLiteError) -> ReadingPage {
    try page(
      id, limit: limit,
      """
      AND (at, seq) < (?2, ?3) AND at <= ?2 AND at >= ?4 ORDER BY at DESC, seq DESC LIMIT ?5
      """, after?.at ?? to, after?.seq ?? 0, from)
  }

  private func page(
    _ id: SensorID, limit: Int, _ condition: String, _ at: Timestamp, _ seq: Int, _ end: Timestamp
  ) throws(SQLiteError) -> ReadingPage {
    // One row more than asked for tells whether there is a next page. The sensor comes first: the
    // join would otherwise look it up for each row.
    let rows = try connection.query(
      """
      SELECT ?1 AS sensor, reading.* FROM reading
      WHERE series = (SELECT series FROM sensor WHERE id = ?1 AND removed_at IS NULL)
      \(condition)
      """, id, at, seq, end, limit + 1
    ) { (row: SQLRow) throws(SQLiteError) -> (Reading, ReadingCursor) in
      let reading = try Reading(row: row)
      return (reading, ReadingCursor(at: reading.at, seq: try row["seq"]))
    }
    let page = rows.prefix(limit)
    return ReadingPage(
      readings: page.map(\.0), next: rows.count > limit ? page.last?.1 : nil)
  }
}
