import Domain

/// What is remembered of each sensor beside its readings.
package struct SensorStateStore {
  let connection: SQLConnection

  package init(_ connection: SQLConnection) { self.connection = connection }

  /// The states of the sensors in use.
  package func all() throws(SQLiteError) -> [SensorState] {
    try connection.query(
      """
      SELECT sensor_state.* FROM sensor_state JOIN sensor ON sensor.id = sensor
      WHERE removed_at IS NULL
      """, as: SensorState.init(row:))
  }

  /// - Returns: nil when nothing was ever heard of the sensor.
  package func find(_ id: SensorID) throws(SQLiteError) -> SensorState? {
    try connection.first("SELECT * FROM sensor_state WHERE sensor = ?", id, as: SensorState.init)
  }

  /// Replaces what is remembered; of a sensor that was purged meanwhile nothing is.
  package func save(_ state: SensorState) throws(SQLiteError) {
    try connection.run(
      """
      INSERT OR REPLACE INTO sensor_state (
        sensor, last_seen, boot, uptime, is_online, availability_at, firmware, address, rssi,
        retained_status, retained_at, refused_payloads)
      SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 FROM sensor WHERE id = ?1
      """,
      state.sensor, state.lastSeen, state.boot, state.uptime, state.isOnline, state.availabilityAt,
      state.firmware, state.address, state.rssi, state.retainedStatus, state.retainedAt,
      state.refusedPayloads)
  }
}

extension SensorState {
  init(row: SQLRow) throws(SQLiteError) {
    self.init(
      sensor: try row["sensor"], lastSeen: try row["last_seen"], boot: try row["boot"],
      uptime: try row["uptime"], isOnline: try row["is_online"],
      availabilityAt: try row["availability_at"], firmware: try row["firmware"],
      address: try row["address"], rssi: try row["rssi"],
      retainedStatus: try row["retained_status"], retainedAt: try row["retained_at"],
      refusedPayloads: try row["refused_payloads"])
  }
}
