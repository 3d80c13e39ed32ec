import Domain

/// The Wi-Fi networks whose keys are kept.
package struct NetworkStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  /// Last used first.
  package func all() throws(SQLiteError) -> [NetworkRecord] {
    try connection.query(
      "SELECT * FROM network ORDER BY last_used_at DESC, ssid", as: NetworkRecord.init(row:))
  }

  package func find(_ ssid: String) throws(SQLiteError) -> NetworkRecord? {
    try connection.first("SELECT * FROM network WHERE ssid = ?", ssid, as: NetworkRecord.init(row:))
  }

  /// Keeps a network, in place of the one with the same name.
  package func save(_ network: NetworkRecord) throws(SQLiteError) {
    try connection.run(
      "INSERT OR REPLACE INTO network (ssid, sealed_key, last_used_at) VALUES (?1, ?2, ?3)",
      network.ssid, network.sealedKey, network.lastUsedAt)
  }

  /// - Returns: false when there is no such network.
  package func forget(_ ssid: String) throws(SQLiteError) -> Bool {
    try connection.run("DELETE FROM network WHERE ssid = ?", ssid) == 1
  }

  /// - Returns: how many were forgotten.
  package func forgetAll() throws(SQLiteError) -> Int { try connection.run("DELETE FROM network") }
}

extension NetworkRecord {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      ssid: try row["ssid"], sealedKey: try row["sealed_key"], lastUsedAt: try row["last_used_at"])
  }
}
