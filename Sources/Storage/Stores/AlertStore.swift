import Domain
import FoundationEssentials

/// Which alerts a list holds. Expired ones are listed only when asked for by state.
package struct AlertFilter: Hashable, Sendable {
  package var sensor: SensorID?
  /// Nil for the unread and the read.
  package var state: Alert.State?
  /// From this moment on.
  package var from: Timestamp?
  /// Up to, not including, this moment.
  package var to: Timestamp?
  /// The last alert of the page before.
  package var after: Alert?
  package var limit: Int

  package init(
    sensor: SensorID? = nil, state: Alert.State? = nil, from: Timestamp? = nil,
    to: Timestamp? = nil, after: Alert? = nil, limit: Int = 100
  ) {
    self.sensor = sensor
    self.state = state
    self.from = from
    self.to = to
    self.after = after
    self.limit = limit
  }
}

/// The alert centre. The alerts of removed sensors are hidden with them.
package struct AlertStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  package func insert(_ alert: Alert) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO alert (
        id, kind, sensor, rule, severity, state, at, label, field, comparison, threshold, value,
        count)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
      """,
      alert.id, alert.kind, alert.sensor, alert.rule, alert.severity, alert.state, alert.at,
      alert.label ?? "", alert.field, alert.comparison, alert.threshold, alert.value, alert.count)
  }

  /// Newest first.
  package func list(_ filter: AlertFilter = AlertFilter()) throws(SQLiteError) -> [Alert] {
    // Each condition is put in only when asked for: a statement that allows for all of them at once
    // could use no index.
    var conditions = [Self.visible]
    var values: [any SQLStorable] = []
    func add(_ condition: String, _ value: any SQLStorable...) {
      conditions.append(condition)
      values += value
    }
    if let sensor = filter.sensor { add("sensor = ?", sensor) }
    switch filter.state {
    case .unread: add("state = 'unread'")
    case .read: add("state = 'read'")
    case .expired: add("state = 'expired'")
    case nil: add("state <> 'expired'")
    }
    if let from = filter.from { add("at >= ?", from) }
    if let to = filter.to { add("at < ?", to) }
    if let after = filter.after {
      add("at <= ? AND (at, id) < (?, ?)", after.at, after.at, after.id)
    }
    values.append(filter.limit)
    return try connection.query(
      """
      SELECT * FROM alert WHERE \(conditions.joined(separator: " AND "))
      ORDER BY at DESC, id DESC LIMIT ?
      """, values: values, as: Alert.init(row:))
  }

  package func find(_ id: UUID) throws(SQLiteError) -> Alert? {
    try connection.first(
      "SELECT * FROM alert WHERE id = ? AND \(Self.visible)", id, as: Alert.init(row:))
  }

  /// The newest alert of a sensor.
  package func last(of sensor: SensorID) throws(SQLiteError) -> Alert? {
    try list(AlertFilter(sensor: sensor, limit: 1)).first
  }

  /// The newest alert of each sensor in use.
  package func lastOfEach() throws(SQLiteError) -> [Alert] {
    try connection.query(
      """
      SELECT alert.* FROM sensor JOIN alert ON alert.id = (
        SELECT id FROM alert AS one WHERE one.sensor = sensor.id AND one.state <> 'expired'
        ORDER BY one.at DESC, one.id DESC LIMIT 1)
      WHERE removed_at IS NULL
      """, as: Alert.init(row:))
  }

  /// - Returns: false when there is no such alert; true also when it was read before.
  package func markRead(_ id: UUID) throws(SQLiteError) -> Bool {
    guard try find(id) != nil else { return false }
    try connection.run("UPDATE alert SET state = 'read' WHERE id = ? AND state = 'unread'", id)
    return true
  }

  /// - Returns: how many were unread.
  package func markAllRead() throws(SQLiteError) -> Int {
    try connection.run(
      "UPDATE alert SET state = 'read' WHERE state = 'unread' AND \(Self.visible)")
  }

  /// How many alerts a list of the unread would hold.
  package func unreadCount() throws(SQLiteError) -> Int {
    try connection.value(
      "SELECT count(*) AS value FROM alert WHERE state = 'unread' AND \(Self.visible)") ?? 0
  }

  /// - Returns: how many expired now.
  package func expire(before moment: Timestamp) throws(SQLiteError) -> Int {
    try connection.run(
      "UPDATE alert SET state = 'expired' WHERE at < ? AND state <> 'expired'", moment)
  }

  /// - Returns: how many were deleted.
  package func deleteExpired(before moment: Timestamp) throws(SQLiteError) -> Int {
    try connection.run("DELETE FROM alert WHERE at < ? AND state = 'expired'", moment)
  }

  private static let visible =
    "(sensor IS NULL OR sensor IN (SELECT sensor.id FROM sensor WHERE removed_at IS NULL))"
}

extension Alert {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      id: try row["id"], kind: try row["kind"], sensor: try row["sensor"], rule: try row["rule"],
      severity: try row["severity"], state: try row["state"], at: try row["at"],
      label: try row.label, field: try row["field"], comparison: try row["comparison"],
      threshold: try row["threshold"], value: try row["value"], count: try row["count"])
  }
}
