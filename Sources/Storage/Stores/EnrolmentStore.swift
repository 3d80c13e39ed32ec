import Domain
import FoundationEssentials

/// The enrolments: every one that was begun, in whatever way it ended.
package struct EnrolmentStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  /// Keeps a new enrolment; it starts at step 1.
  package func insert(_ record: EnrolmentRecord) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO enrolment (
        id, operator, sensor, address, step, is_completed, ended_reason, account, progress,
        created_at, updated_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """,
      record.id, record.operatorName, record.sensor, record.address, record.step,
      record.isCompleted, record.ended, record.account, record.progress, record.createdAt,
      record.updatedAt)
  }

  /// Keeps an enrolment's progress. Throws a constraint error for a skipped or repeated step, for a
  /// completed enrolment, and for a second unfinished one of the same sensor.
  ///
  /// - Returns: false when there is no such enrolment.
  package func update(_ record: EnrolmentRecord) throws(SQLiteError) -> Bool {
    try connection.run(
      """
      UPDATE enrolment SET sensor = ?2, address = ?3, step = ?4, is_completed = ?5,
        ended_reason = ?6, account = ?7, progress = ?8, updated_at = ?9
      WHERE id = ?1
      """,
      record.id, record.sensor, record.address, record.step, record.isCompleted, record.ended,
      record.account, record.progress, record.updatedAt) == 1
  }

  package func find(_ id: UUID) throws(SQLiteError) -> EnrolmentRecord? {
    try connection.first(
      "SELECT * FROM enrolment WHERE id = ?", id, as: EnrolmentRecord.init(row:))
  }

  /// The newest enrolments, newest first.
  package func all(limit: Int = 100) throws(SQLiteError) -> [EnrolmentRecord] {
    try connection.query(
      "SELECT * FROM enrolment ORDER BY created_at DESC LIMIT ?", limit,
      as: EnrolmentRecord.init(row:))
  }

  /// Those that may still go on, oldest first.
  package func unfinished() throws(SQLiteError) -> [EnrolmentRecord] {
    try connection.query(
      """
      SELECT * FROM enrolment WHERE is_completed = 0 AND ended_reason IS NULL
      ORDER BY created_at
      """, as: EnrolmentRecord.init(row:))
  }

  /// The one of this sensor that may still go on.
  package func unfinished(of sensor: SensorID) throws(SQLiteError) -> EnrolmentRecord? {
    try connection.first(
      """
      SELECT * FROM enrolment WHERE sensor = ? AND is_completed = 0 AND ended_reason IS NULL
      """, sensor, as: EnrolmentRecord.init(row:))
  }

  /// The operator's oldest one that may still go on.
  package func firstUnfinished(by operatorName: String) throws(SQLiteError) -> EnrolmentRecord? {
    try connection.first(
      """
      SELECT * FROM enrolment WHERE operator = ? AND is_completed = 0 AND ended_reason IS NULL
      ORDER BY created_at LIMIT 1
      """, operatorName, as: EnrolmentRecord.init(row:))
  }

  /// Whether the operator has ever completed one; true for good from then on.
  package func hasCompleted(_ operatorName: String) throws(SQLiteError) -> Bool {
    try connection.value(
      "SELECT EXISTS (SELECT 1 FROM enrolment WHERE operator = ? AND is_completed = 1) AS value",
      operatorName) ?? false
  }
}

extension EnrolmentRecord {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      id: try row["id"], operatorName: try row["operator"], sensor: try row["sensor"],
      address: try row["address"], step: try row["step"], isCompleted: try row["is_completed"],
      ended: try row["ended_reason"], account: try row["account"], progress: try row["progress"],
      createdAt: try row["created_at"], updatedAt: try row["updated_at"])
  }
}
