import Domain

/// A sensor as a list shows it.
package struct SensorOverview: Hashable, Sendable {
  package let sensor: Sensor
  /// Nil when nothing was ever heard of it.
  package let state: SensorState?
  /// The newest reading, however old.
  package let latest: Reading?
  /// Its levels over the span asked for; slices without a reading are left out.
  package let sparkline: [LevelBucket]
  package let lastAlert: Alert?
}

extension SensorStore {
  /// Every sensor in use, by name, with a sparkline from `from` up to `to` in slices of `width`: five
  /// queries, however many sensors.
  package func overviews(
    from: Timestamp, to: Timestamp, width: Duration
  ) throws(SQLiteError) -> [SensorOverview] {
    let states = keyed(try SensorStateStore(connection).all(), by: \.sensor)
    let latest = keyed(try ReadingStore(connection).latest(), by: \.sensor)
    let sparklines = try ReadingStore(connection).buckets(from: from, to: to, width: width)
    let alerts = keyed(try AlertStore(connection).lastOfEach(), by: \.sensor)
    return try all().map { sensor in
      SensorOverview(
        sensor: sensor, state: states[sensor.id], latest: latest[sensor.id],
        sparkline: sparklines[sensor.id] ?? [], lastAlert: alerts[sensor.id])
    }
  }

  private func keyed<Value>(
    _ values: [Value], by key: (Value) -> SensorID?
  ) -> [SensorID: Value] {
    var result: [SensorID: Value] = [:]
    for value in values {
      if let sensor = key(value) { result[sensor] = value }
    }
    return result
  }
}
