import Domain
import FoundationEssentials

/// The transitions of all enrolments. The database refuses to change or delete one.
package struct AuditStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  package func append(_ entry: AuditEntry) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO audit (enrolment, at, operator, from_state, to_state, why, step)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """,
      entry.enrolment, entry.at, entry.operatorName, entry.from, entry.to, entry.why, entry.step)
  }

  /// The entries of one enrolment, in the order in which they were written.
  package func of(_ enrolment: UUID) throws(SQLiteError) -> [AuditEntry] {
    try connection.query(
      "SELECT * FROM audit WHERE enrolment = ? ORDER BY seq", enrolment, as: AuditEntry.init(row:))
  }
}

extension AuditEntry {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      enrolment: try row["enrolment"], at: try row["at"], operatorName: try row["operator"],
      from: try row["from_state"], to: try row["to_state"], why: try row["why"],
      step: try row["step"])
  }
}
