import Domain
import FoundationEssentials

/// The rules of the sensors in use, and what each remembers between readings.
package struct RuleStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  /// Every rule, by sensor; the rules of removed sensors rest with them.
  package func all() throws(SQLiteError) -> [Rule] {
    try connection.query(
      """
      SELECT rule.* FROM rule JOIN sensor ON sensor.id = rule.sensor
      WHERE removed_at IS NULL ORDER BY rule.sensor, label, rule.id
      """, as: Rule.init(row:))
  }

  package func of(_ sensor: SensorID) throws(SQLiteError) -> [Rule] {
    try connection.query(
      """
      SELECT rule.* FROM rule JOIN sensor ON sensor.id = rule.sensor
      WHERE rule.sensor = ? AND removed_at IS NULL ORDER BY label, rule.id
      """, sensor, as: Rule.init(row:))
  }

  package func find(_ id: UUID) throws(SQLiteError) -> Rule? {
    try connection.first(
      """
      SELECT rule.* FROM rule JOIN sensor ON sensor.id = rule.sensor
      WHERE rule.id = ? AND removed_at IS NULL
      """, id, as: Rule.init(row:))
  }

  /// Throws a constraint error for an unknown sensor.
  package func insert(_ rule: Rule) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO rule (
        id, sensor, template, field, comparison, threshold, cooldown, label, severity, is_enabled)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """,
      rule.id, rule.sensor, rule.template, rule.field, rule.comparison, rule.threshold,
      rule.cooldown, rule.label ?? "", rule.severity, rule.isEnabled)
  }

  /// Changes what can be changed of a rule: not its sensor and not its template.
  ///
  /// - Returns: false when there is no such rule.
  package func update(_ rule: Rule) throws(SQLiteError) -> Bool {
    try connection.run(
      """
      UPDATE rule SET field = ?2, comparison = ?3, threshold = ?4, cooldown = ?5, label = ?6,
        severity = ?7, is_enabled = ?8 WHERE id = ?1
      """,
      rule.id, rule.field, rule.comparison, rule.threshold, rule.cooldown, rule.label ?? "",
      rule.severity, rule.isEnabled) == 1
  }

  /// - Returns: false when there is no such rule.
  package func delete(_ id: UUID) throws(SQLiteError) -> Bool {
    try connection.run("DELETE FROM rule WHERE id = ?", id) == 1
  }

  /// A rule that never fired has the state of a new one.
  package func state(of rule: UUID) throws(SQLiteError) -> RuleState {
    try connection.first(
      "SELECT * FROM rule_state WHERE rule = ?", rule, as: RuleState.init(row:)) ?? RuleState()
  }

  /// The states of every rule that has one.
  package func states() throws(SQLiteError) -> [UUID: RuleState] {
    let rows = try connection.query("SELECT * FROM rule_state") {
      (row: SQLRow) throws(SQLiteError) -> (UUID, RuleState) in
      (try row["rule"], try RuleState(row: row))
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Of a rule that was deleted meanwhile nothing is remembered.
  package func saveState(_ state: RuleState, of rule: UUID) throws(SQLiteError) {
    try connection.run(
      """
      INSERT OR REPLACE INTO rule_state (rule, last_fired, is_told)
      SELECT id, ?2, ?3 FROM rule WHERE id = ?1
      """, rule, state.lastFired, state.isTold)
  }
}

extension Rule {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      id: try row["id"], sensor: try row["sensor"], template: try row["template"],
      field: try row["field"], comparison: try row["comparison"], threshold: try row["threshold"],
      cooldown: try row["cooldown"], label: try row.label, severity: try row["severity"],
      isEnabled: try row["is_enabled"])
  }
}

extension SQLRow {
  /// A rule's or an alert's label; none is stored as an empty one, which nobody can give.
  var label: String? {
    get throws(SQLiteError) {
      let text: String = try self["label"]
      return text.isEmpty ? nil : text
    }
  }
}

extension RuleState {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(lastFired: try row["last_fired"], isTold: try row["is_told"])
  }
}
