import Domain

/// The broker accounts made for sensors.
package struct AccountStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  package func insert(_ account: AccountRecord) throws(SQLiteError) {
    try connection.run(
      """
      INSERT INTO account (user, sensor, number, sealed_password, state, created_at)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6)
      """,
      account.user, account.sensor, account.number, account.sealedPassword, account.state,
      account.createdAt)
  }

  package func find(_ user: String) throws(SQLiteError) -> AccountRecord? {
    try connection.first("SELECT * FROM account WHERE user = ?", user, as: AccountRecord.init(row:))
  }

  /// Every account that is at the broker: what its store must hold.
  package func live() throws(SQLiteError) -> [AccountRecord] {
    try connection.query(
      "SELECT * FROM account WHERE state <> 'removed' ORDER BY sensor, number",
      as: AccountRecord.init(row:))
  }

  /// The sensor's accounts that are at the broker, oldest first.
  package func live(of sensor: SensorID) throws(SQLiteError) -> [AccountRecord] {
    try connection.query(
      "SELECT * FROM account WHERE sensor = ? AND state <> 'removed' ORDER BY number", sensor,
      as: AccountRecord.init(row:))
  }

  /// The number of the sensor's next account: no number is used twice.
  package func nextNumber(for sensor: SensorID) throws(SQLiteError) -> Int {
    try connection.value(
      "SELECT coalesce(max(number), 0) + 1 AS value FROM account WHERE sensor = ?", sensor) ?? 1
  }

  /// Notes that the sensor may hold the account, or that a reading came in under it.
  ///
  /// - Parameter state: not `removed`: see `remove`.
  /// - Returns: false when there is no such account at the broker.
  package func advance(
    _ user: String, to state: AccountRecord.State
  ) throws(SQLiteError) -> Bool {
    try connection.run(
      "UPDATE account SET state = ?2 WHERE user = ?1 AND state <> 'removed'", user, state) == 1
  }

  /// Notes that the account is deleted at the broker, and forgets its password.
  package func remove(_ user: String) throws(SQLiteError) {
    try connection.run(
      "UPDATE account SET state = 'removed', sealed_password = NULL WHERE user = ?", user)
  }
}

extension AccountRecord {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      user: try row["user"], sensor: try row["sensor"], number: try row["number"],
      sealedPassword: try row["sealed_password"], state: try row["state"],
      createdAt: try row["created_at"])
  }
}
