import Domain

/// A reading that is in the database.
package struct StoredReading: Hashable, Sendable {
  package let reading: Reading
  package let committedAt: Timestamp

  package init(reading: Reading, committedAt: Timestamp) {
    self.reading = reading
    self.committedAt = committedAt
  }
}

/// Where readings are followed from inside the process: as they arrive, and once they are stored.
///
/// A broker's retained copy of an old status is in neither: it is no reading.
package actor ReadingFeed {
  private let stored = Fanout<StoredReading>(buffer: 1_024)
  private let live = Fanout<Reading>(buffer: 1_024)
  private let made = Fanout<Alert>(buffer: 256)
  private let resets = Fanout<SensorID>(buffer: 16)
  private var latest: [SensorID: Reading] = [:]

  package init() {}

  /// The readings committed from now on. A subscriber that does not keep up loses the oldest.
  ///
  /// - Parameter sensor: a sensor whose readings are wanted at once. For as long as the stream is
  ///   read its readings are committed as they arrive, and stored even though it is not registered.
  package func subscribe(awaiting sensor: SensorID? = nil) -> AsyncStream<StoredReading> {
    stored.stream(awaiting: sensor)
  }

  /// The readings as they arrive, up to five seconds before they are stored: for live views.
  package func follow() -> AsyncStream<Reading> { live.stream() }

  /// The newest dated reading of a sensor since the process started, stored or about to be.
  package func latest(of sensor: SensorID) -> Reading? { latest[sensor] }

  /// The sensors somebody waits for.
  package var awaitedSensors: Set<SensorID> { stored.awaitedSensors }

  /// Tells the live views of a reading that has arrived.
  package func hear(_ reading: Reading) {
    if reading.isDated, reading.at >= latest[reading.sensor]?.at ?? reading.at {
      latest[reading.sensor] = reading
    }
    live.yield(reading)
  }

  /// The alerts committed from now on.
  package func alerts() -> AsyncStream<Alert> { made.stream() }

  /// Tells the subscribers of alerts that have been committed.
  package func publish(_ alerts: [Alert]) {
    for alert in alerts { made.yield(alert) }
  }

  /// Tells the subscribers of readings that have been committed.
  package func publish(_ readings: [StoredReading]) {
    for reading in readings { stored.yield(reading) }
  }

  /// The sensors that acknowledge a reset from now on.
  package func resetAcknowledgements() -> AsyncStream<SensorID> { resets.stream() }

  /// Tells of a sensor that has acknowledged a reset.
  package func noteReset(of sensor: SensorID) { resets.yield(sensor) }
}
