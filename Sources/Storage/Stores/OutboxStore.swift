import Domain
import FoundationEssentials

/// What waits for the backend.
package struct OutboxStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  /// How the outbox stands.
  package struct Counts: Hashable, Sendable {
    /// Messages still to be sent.
    package let waiting: Int
    /// Messages that the backend refused.
    package let parked: Int
    /// The age of the oldest message still to be sent.
    package let oldestWaiting: Timestamp?
  }

  package func append(_ message: OutboxMessage) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO outbox (
        id, created_at, body, attempts, next_attempt, parked_code, parked_detail)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """,
      message.id, message.createdAt, message.body, message.attempts, message.nextAttempt,
      message.parked?.code, message.parked?.detail)
  }

  /// The messages whose turn has come, in the order of their turn.
  package func due(at moment: Timestamp, limit: Int) throws(SQLiteError) -> [OutboxMessage] {
    try connection.query(
      """
      SELECT * FROM outbox WHERE parked_code IS NULL AND next_attempt <= ?
      ORDER BY next_attempt, created_at LIMIT ?
      """, moment, limit, as: OutboxMessage.init(row:))
  }

  /// When the next message is due; nil when none waits.
  package func nextAttempt() throws(SQLiteError) -> Timestamp? {
    try connection.value(
      """
      SELECT next_attempt AS value FROM outbox WHERE parked_code IS NULL
      ORDER BY next_attempt LIMIT 1
      """)
  }

  package func find(_ id: UUID) throws(SQLiteError) -> OutboxMessage? {
    try connection.first("SELECT * FROM outbox WHERE id = ?", id, as: OutboxMessage.init(row:))
  }

  /// The messages that the backend refused, oldest first.
  package func parked(limit: Int = 100) throws(SQLiteError) -> [OutboxMessage] {
    try connection.query(
      "SELECT * FROM outbox WHERE parked_code IS NOT NULL ORDER BY created_at LIMIT ?", limit,
      as: OutboxMessage.init(row:))
  }

  /// Deletes a message that the backend has.
  package func delivered(_ id: UUID) throws(SQLiteError) {
    try connection.run("DELETE FROM outbox WHERE id = ?", id)
  }

  /// Counts a failed attempt and sets the next.
  package func reschedule(_ id: UUID, at moment: Timestamp) throws(SQLiteError) {
    try connection.run(
      "UPDATE outbox SET attempts = attempts + 1, next_attempt = ?2 WHERE id = ?1", id, moment)
  }

  /// Sets a message aside, so that the queue goes on without it.
  package func park(_ id: UUID, because fault: Fault) throws(SQLiteError) {
    try connection.run(
      """
      UPDATE outbox SET attempts = attempts + 1, parked_code = ?2, parked_detail = ?3 WHERE id = ?1
      """, id, fault.code, fault.detail)
  }

  /// Queues a parked message again.
  ///
  /// - Returns: false when it is not parked.
  package func unpark(_ id: UUID, at moment: Timestamp) throws(SQLiteError) -> Bool {
    try connection.run(
      """
      UPDATE outbox SET parked_code = NULL, parked_detail = NULL, next_attempt = ?2
      WHERE id = ?1 AND parked_code IS NOT NULL
      """, id, moment) == 1
  }

  /// Makes due the messages that were set later than any delay sets one: the clock was wrong then.
  package func pullForward(beyond limit: Timestamp, to moment: Timestamp) throws(SQLiteError) {
    try connection.run(
      "UPDATE outbox SET next_attempt = ?2 WHERE next_attempt > ?1 AND parked_code IS NULL",
      limit, moment)
  }

  /// Gives up the unsent messages made before `moment`.
  ///
  /// - Returns: their ids.
  package func dropOlder(than moment: Timestamp) throws(SQLiteError) -> [UUID] {
    try connection.query(
      "DELETE FROM outbox WHERE created_at < ? AND parked_code IS NULL RETURNING id", moment
    ) { (row: SQLRow) throws(SQLiteError) -> UUID in try row["id"] }
  }

  /// Deletes the parked messages made before `moment`.
  ///
  /// - Returns: how many.
  package func deleteParked(before moment: Timestamp) throws(SQLiteError) -> Int {
    try connection.run(
      "DELETE FROM outbox WHERE created_at < ? AND parked_code IS NOT NULL", moment)
  }

  package func counts() throws(SQLiteError) -> Counts {
    let waiting: Int =
      try connection.value("SELECT count(*) AS value FROM outbox WHERE parked_code IS NULL") ?? 0
    let parked: Int =
      try connection.value("SELECT count(*) AS value FROM outbox WHERE parked_code IS NOT NULL")
      ?? 0
    let oldest: Timestamp? = try connection.value(
      """
      SELECT created_at AS value FROM outbox WHERE parked_code IS NULL ORDER BY created_at LIMIT 1
      """)
    return Counts(waiting: waiting, parked: parked, oldestWaiting: oldest)
  }
}

extension OutboxMessage {
  init(row: SQLRow) throws(SQLiteError) {
    let code: Code? = try row["parked_code"]
    let detail: String? = try row["parked_detail"]
    self.init(
      id: try row["id"], createdAt: try row["created_at"], body: try row["body"],
      attempts: try row["attempts"], nextAttempt: try row["next_attempt"],
      parked: code.map { Fault($0, detail ?? "") })
  }
}
