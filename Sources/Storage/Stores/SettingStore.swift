/// A setting by its name in the database; every one is listed here.
package struct SettingKey: Hashable, Sendable {
  package let name: String

  /// The gateway's own UUID, made at the first start.
  package static let gatewayID = SettingKey(name: "gateway.id")
  /// Where alerts are posted.
  package static let destinationURL = SettingKey(name: "destination.url")
  /// The secret that signs them, sealed.
  package static let destinationSecret = SettingKey(name: "destination.secret")
  /// When the last clean-up ran.
  package static let retentionPass = SettingKey(name: "retention.pass")
  /// Until when nothing is deleted, because the clock leapt.
  package static let retentionHold = SettingKey(name: "retention.hold")
}

/// Single values that people or the daemon itself set.
package struct SettingStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  /// - Returns: nil when it was never set; throws when it holds another type.
  package func value<Value: SQLStorable>(
    _ key: SettingKey, as type: Value.Type = Value.self
  ) throws(SQLiteError) -> Value? {
    try connection.value("SELECT value FROM setting WHERE key = ?", key.name)
  }

  package func set(_ key: SettingKey, to value: some SQLStorable) throws(SQLiteError) {
    try connection.run(
      "INSERT OR REPLACE INTO setting (key, value) VALUES (?1, ?2)", key.name, value)
  }

  package func remove(_ key: SettingKey) throws(SQLiteError) {
    try connection.run("DELETE FROM setting WHERE key = ?", key.name)
  }
}
