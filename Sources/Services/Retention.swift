import Domain
import Host
import Storage

/// Deletes what is too old, a little at a time, so that readings are stored meanwhile.
package struct Retention: Sendable {
  /// How long things are kept.
  package struct Spans: Hashable, Sendable {
    /// Raw readings, 30 days by default.
    package var readings: Duration
    /// A removed sensor's history.
    package var removedSensors = Duration.seconds(30 * 86_400)
    /// An alert until it expires, and once more as long until it is deleted.
    package var alerts = Duration.seconds(90 * 86_400)

    package init(readings: Duration = .seconds(30 * 86_400)) { self.readings = readings }
  }

  private let database: Database
  private let spans: Spans
  private let now: WallClock
  private let clock: any Clock<Duration>
  private let progress: Progress
  private let log = Log("retention")

  package init(
    database: Database, spans: Spans = Spans(), now: @escaping WallClock,
    clock: any Clock<Duration> = ContinuousClock(), progress: Progress = Progress()
  ) {
    self.database = database
    self.spans = spans
    self.now = now
    self.clock = clock
    self.progress = progress
  }

  /// Looks after the file every minute, and deletes what is too old every hour.
  package func run() async throws {
    var lastFault: Code?
    for minute in sequence(first: 0, next: { ($0 + 1) % 60 }) {
      progress.begin(.retention)
      do throws(Fault) {
        try await database.tidy()
        if minute == 0 { try await pass() }
        lastFault = nil
      } catch {
        if error.code != lastFault { log.warning("cannot clean up", ["fault": error]) }
        lastFault = error.code
      }
      progress.rest(.retention)
      try await clock.sleep(for: .seconds(60))
    }
  }

  /// One clean-up, unless the clock is in doubt.
  package func pass() async throws(Fault) {
    let now = now()
    let judgement = try await database.write { try ClockJudgement.make(at: now, in: $0) }
    if judgement == .leapt {
      log.warning("the clock leapt or the gateway was off: nothing is deleted for a day")
    }
    guard judgement == .steady else { return }
    let spans = spans
    let (sensors, expired) = try await database.write { connection in
      let sensors = try SensorStore(connection).purgeRemoved(before: now - spans.removedSensors)
      let alerts = AlertStore(connection)
      let expired = try alerts.expire(before: now - spans.alerts)
      _ = try alerts.deleteExpired(before: now - spans.alerts - spans.alerts)
      _ = try OutboxStore(connection).deleteParked(before: now - spans.alerts)
      return (sensors, expired)
    }
    let readings = try await deleteReadings(before: now - spans.readings)
    try await deletePurged()
    if sensors + expired + readings > 0 {
      log.info(
        "old data deleted",
        ["readings": readings, "removed_sensors": sensors, "alerts_expired": expired])
    }
  }

  /// Rows to a transaction: few enough for a slow card to write in a fraction of a second.
  private static let batch = 2_000

  private func deleteReadings(before moment: Timestamp) async throws(Fault) -> Int {
    var total = 0
    while !Task.isCancelled {
      progress.begin(.retention)
      let count = try await database.write {
        try ReadingStore($0).deleteOlder(than: moment, limit: Self.batch)
      }
      total += count
      if count < Self.batch { break }
    }
    return total
  }

  /// Sweeps the whole history once for the rows of purged sensors; cut short, it starts over at the
  /// next pass.
  private func deletePurged() async throws(Fault) {
    let series = try await database.read { try ReadingStore($0).purgedSeries() }
    guard !series.isEmpty else { return }
    var position: Timestamp?
    repeat {
      if Task.isCancelled { return }
      progress.begin(.retention)
      position = try await database.write { [position] in
        try ReadingStore($0).deletePurged(after: position, limit: Self.batch)
      }
    } while position != nil
    try await database.write { try ReadingStore($0).finishPurge(of: series) }
  }
}

/// Whether the wall clock is good enough to delete by: a board without a clock of its own starts in
/// the past and leaps ahead when it is synchronised, and what it wrote before would be gone at once.
private enum ClockJudgement {
  case steady
  /// It has just leapt; deletion is put off.
  case leapt
  /// Deletion is still put off.
  case onHold

  /// Compares with the pass before. The hour's passes may be late by a day; more is a leap, or the
  /// gateway was off, and then a day's delay costs nothing.
  static func make(at now: Timestamp, in connection: SQLConnection) throws -> ClockJudgement {
    let settings = SettingStore(connection)
    let day = Duration.seconds(86_400)
    let last: Timestamp? = try settings.value(.retentionPass)
    try settings.set(.retentionPass, to: now)
    if let last, now < last - .seconds(3_600) || now > last + day {
      try settings.set(.retentionHold, to: now + day)
      return .leapt
    }
    let hold: Timestamp? = try settings.value(.retentionHold)
    return hold.map { now < $0 } ?? false ? .onHold : .steady
  }
}
