import Domain
import Foundation
import Host
import Services
import Storage
import TestSupport

/// Everything an ingest loop works with: a real database, a broker in memory, time to move by hand.
struct IngestBench: Sendable {
  let store: TemporaryDatabase
  let time = ManualTime()
  let feed = ReadingFeed()
  let board: StatusBoard
  let unclaimed = UnclaimedSensors(limit: 4)
  let bell = Bell()
  let log = LogRecorder()
  let wallClockState: WallClockState

  init(wallClockState: WallClockState = .synchronised) throws {
    store = try TemporaryDatabase()
    board = StatusBoard(now: time.wallClock)
    self.wallClockState = wallClockState
  }

  func ingest(from broker: FakeBroker, batchLimit: Int = 1_000) -> Ingest {
    LogSink.$current.withValue(log.sink()) {
      Ingest(
        broker: broker, database: store.database, feed: feed, board: board, unclaimed: unclaimed,
        outboxBell: bell, gateway: "gw", batchLimit: batchLimit,
        progress: Progress(clock: time.clock),
        wallClockState: { [wallClockState] in wallClockState }, now: time.wallClock,
        clock: time.clock)
    }
  }

  /// Runs an ingest loop while `body` runs. Its last commit is made when this returns.
  func ingesting<Result: Sendable>(
    from broker: FakeBroker, batchLimit: Int = 1_000,
    _ body: @Sendable () async throws -> Result
  ) async throws -> Result {
    let ingest = ingest(from: broker, batchLimit: batchLimit)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await ingest.run() }
      let result = try await body()
      group.cancelAll()
      return result
    }
  }

  @discardableResult
  func enrol(_ id: SensorID = sensorID(1), calibration: Double? = nil) async throws -> Sensor {
    let sensor = Sensor(
      id: id, name: try SensorName("Hall \(id)"), enrolledAt: time.now,
      calibrationOffset: calibration)
    try await store.write { try SensorStore($0).save(sensor) }
    return sensor
  }

  /// A rule of the sensor: level over 80 %.
  @discardableResult
  func rule(
    of sensor: SensorID = sensorID(1), cooldown: Int = 300, severity: Severity = .high,
    label: String? = "Loud"
  ) async throws -> Rule {
    let rule = Rule(
      id: UUID(), sensor: sensor, template: "level", field: .soundPct, comparison: .greater,
      threshold: 80, cooldown: cooldown, label: label, severity: severity)
    try await store.write { try RuleStore($0).insert(rule) }
    return rule
  }

  /// A status message that arrives now.
  func status(
    _ level: Int, uptime: Int, of sensor: SensorID = sensorID(1), isRetained: Bool = false
  ) -> Delivery {
    message(
      "devices/\(sensor)/status", StatusSample.status(level: level, uptime: uptime),
      isRetained: isRetained)
  }

  func message(
    _ topic: String, _ payload: [UInt8], qos: Int = 1, isRetained: Bool = false
  ) -> Delivery {
    .message(
      BrokerMessage(
        topic: topic, payload: payload, qos: qos, isRetained: isRetained, arrivedAt: time.now))
  }

  var connected: Delivery { .connected(sessionPresent: false, at: time.now) }

  /// Everything stored of a sensor, in the order of time.
  func readings(of sensor: SensorID = sensorID(1)) async throws -> [Reading] {
    try await store.read {
      try ReadingStore($0).span(
        sensor, from: Timestamp(milliseconds: 0), to: Timestamp(seconds: 4_000_000_000),
        limit: 10_000
      ).readings
    }
  }

  /// Every alert, oldest first.
  func alerts() async throws -> [Alert] {
    try await store.read { Array(try AlertStore($0).list().reversed()) }
  }

  func state(of sensor: SensorID = sensorID(1)) async throws -> SensorState? {
    try await store.read { try SensorStateStore($0).find(sensor) }
  }

  func outbox() async throws -> [OutboxMessage] {
    try await store.read {
      try OutboxStore($0).due(at: Timestamp(seconds: 4_000_000_000), limit: 1_000)
    }
  }
}
