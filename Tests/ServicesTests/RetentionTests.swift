import Domain
import Foundation
import Host
import Services
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Retention")
struct RetentionTests {
  private static let day = Duration.seconds(86_400)
  private let store: TemporaryDatabase
  private let time = WallTime(Timestamp(seconds: 1_790_000_000))
  private let sensor = sensorID(1)

  /// Wall time that a test sets.
  private final class WallTime: Sendable {
    private let time: Mutex<Timestamp>

    init(_ time: Timestamp) { self.time = Mutex(time) }

    var now: Timestamp { time.withLock { $0 } }

    func pass(_ span: Duration) { time.withLock { $0 = $0 + span } }
  }

  init() async throws {
    store = try TemporaryDatabase()
    let sensor = Sensor(id: sensor, name: try SensorName("Atelier"), enrolledAt: time.now)
    try await store.write { try SensorStore($0).save(sensor) }
  }

  private var retention: Retention {
    Retention(database: store.database, now: { [time] in time.now })
  }

  /// Stores readings, one an hour, over the `days` before now.
  private func fill(days: Int) async throws {
    let now = time.now
    try await store.write { [sensor] connection in
      for hour in 0..<(24 * days) {
        try ReadingStore(connection).insert(
          Reading(
            sensor: sensor, at: now - .seconds(3_600 * hour), boot: 1,
            sound: SoundStatus(soundPct: 40, uptime: hour)))
      }
    }
  }

  private func count() async throws -> Int {
    try await store.read { try ReadingStore($0).recentKeys(100_000).count }
  }

  @Test("deletes raw readings after thirty days, and no younger ones")
  func readings() async throws {
    try await fill(days: 40)
    try await retention.pass()
    #expect(try await count() == 30 * 24 + 1)
  }

  @Test("D03: deletes many rows in batches, between which others write")
  func batches() async throws {
    // "Purge in small batches …, ingest delay < 1 s"
    let old = time.now - .seconds(40 * 86_400)
    try await store.write { [sensor] connection in
      for number in 0..<5_000 {
        try ReadingStore(connection).insert(
          Reading(
            sensor: sensor, at: old + .milliseconds(number), boot: 1,
            sound: SoundStatus(soundPct: 40, uptime: number)))
      }
    }
    let pass = Task { [retention] in try await retention.pass() }
    var counts: Set<Int> = []
    repeat {
      counts.insert(try await store.read { try rows($0) })
    } while !counts.contains(0)
    try await pass.value
    #expect(counts.isSubset(of: [5_000, 3_000, 1_000, 0]))
  }

  @Test("expires alerts after ninety days and deletes them after as many more")
  func alerts() async throws {
    let ages = [89, 91, 179, 181]
    let now = time.now
    try await store.write { connection in
      for age in ages {
        try AlertStore(connection).insert(
          Alert(
            id: UUID(), kind: .rule, sensor: nil, severity: .high, state: .unread,
            at: now - .seconds(age * 86_400), label: "\(age)"))
      }
    }
    try await retention.pass()
    let listed = try await store.read { try AlertStore($0).list() }
    let expired = try await store.read { try AlertStore($0).list(AlertFilter(state: .expired)) }
    #expect(listed.map(\.label) == ["89"] && expired.map(\.label) == ["91", "179"])
  }

  @Test("keeps a removed sensor's history for thirty days, then deletes all of it")
  func removedSensor() async throws {
    try await fill(days: 2)
    _ = try await store.write { [sensor, now = time.now] in
      try SensorStore($0).remove(sensor, at: now, purge: false)
    }
    let retention = Retention(
      database: store.database, spans: .init(readings: Self.day * 60), now: { [time] in time.now })
    for _ in 1...30 {
      time.pass(Self.day)
      try await retention.pass()
    }
    #expect(try await store.read { try SensorStore($0).removed().count } == 1)
    #expect(try await store.read { try rows($0) } == 48)
    time.pass(.seconds(1))
    try await retention.pass()
    #expect(try await store.read { try SensorStore($0).removed() } == [])
    #expect(try await store.read { try rows($0) } == 0)
  }

  @Test("deletes a purged sensor's rows at the next pass, whatever their age")
  func purgedSensor() async throws {
    try await fill(days: 2)
    _ = try await store.write { [sensor, now = time.now] in
      try SensorStore($0).remove(sensor, at: now, purge: true)
    }
    #expect(try await store.read { try rows($0) } == 48)
    try await retention.pass()
    #expect(try await store.read { try rows($0) } == 0)
    #expect(try await store.read { try ReadingStore($0).purgedSeries() } == [])
  }

  private func rows(_ connection: SQLConnection) throws -> Int {
    try connection.value("SELECT count(*) AS value FROM reading") ?? 0
  }

  @Test("C01: deletes nothing when the clock leaps ahead, until it has been steady for a day")
  func leapAhead() async throws {
    // "the jump itself causes … no mass purge by retention"
    try await fill(days: 2)
    try await retention.pass()
    time.pass(Self.day * 2_000)
    for _ in 0..<24 {
      try await retention.pass()
      #expect(try await count() == 48)
      time.pass(.seconds(3_600))
    }
    try await retention.pass()
    #expect(try await count() == 0)
  }

  @Test("C01: a clock that leapt ahead and came back deletes nothing either, and holds up nothing")
  func leapBack() async throws {
    try await fill(days: 2)
    try await retention.pass()
    time.pass(Self.day * 2_000)
    try await retention.pass()
    time.pass(Self.day * -2_000)
    try await retention.pass()
    #expect(try await count() == 48)
    for _ in 1...31 {
      time.pass(Self.day)
      try await retention.pass()
    }
    #expect(try await count() == 0)
  }

  @Test("goes on after a fault, and says it once")
  func faults() async throws {
    let recorder = LogRecorder()
    let clock = ManualClock()
    let loop = LogSink.$current.withValue(recorder.sink()) {
      Retention(database: store.database, now: { [time] in time.now }, clock: clock)
    }
    await store.database.close()
    let task = Task { try await loop.run() }
    for _ in 0..<3 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(60))
    }
    await clock.sleepers(atLeast: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(recorder.all.map(\.sentence) == ["cannot clean up"])
  }
}
