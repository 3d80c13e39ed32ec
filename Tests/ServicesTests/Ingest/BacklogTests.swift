import Domain
import Services
import Storage
import TestSupport
import Testing

@Suite("Ingesting after a break", .timeLimit(.minutes(1)))
struct BacklogTests {
  /// A bench whose sensor was heard live at uptime 100, with that reading stored.
  private func benchWithSensor(cooldown: Int = 300) async throws -> (IngestBench, FakeBroker) {
    let bench = try IngestBench()
    try await bench.enrol()
    try await bench.rule(cooldown: cooldown)
    let broker = FakeBroker()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.connected, bench.status(20, uptime: 100))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
    }
    return (bench, FakeBroker())
  }

  /// The queue of a broker after so many seconds: a message every ten, with these levels.
  private func queue(
    _ bench: IngestBench, every seconds: Int = 10, levels: [Int]
  ) -> [Delivery] {
    levels.enumerated().map { bench.status($1, uptime: 100 + ($0 + 1) * seconds) }
  }

  @Test("M10: stores hours of backlog under their own times, and sums its alerts up in one")
  func hours() async throws {
    // "500 readings with ts from now-4h to now in 5 s, 60 above threshold; newest below. Then
    // silence": "all stored under their own time, in order; no alerts for readings older than the
    // freshness window (at most one summary); current state = newest ts, not last arrival; no repeat
    // alarms from a silent sensor."
    let (bench, broker) = try await benchWithSensor()
    let start = bench.time.now
    bench.time.clock.advance(by: .seconds(14_400))
    let levels = (0..<480).map { (100..<160).contains($0) ? 95 : 20 }
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver([.connected(sessionPresent: true, at: bench.time.now)])
      await broker.deliver(queue(bench, every: 30, levels: levels))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(480)
      let readings = try await bench.readings()
      #expect(
        readings.map(\.at) == [start] + (1...480).map { start + .seconds($0 * 30) })
      #expect(!readings.contains { !$0.isDated })
      #expect(readings.dropFirst().map(\.sound.soundPct) == levels)

      let alert = try #require(try await bench.alerts().first)
      #expect(try await bench.alerts().count == 1)
      #expect(alert.kind == .backlog)
      #expect(alert.count == 60)
      #expect(alert.value == 95)
      #expect(alert.at == start + .seconds(160 * 30))
      #expect(try await bench.outbox().map(\.id) == [alert.id])
      #expect(await bench.feed.latest(of: sensorID(1))?.sound.soundPct == 20)
      // Silence.
      bench.time.clock.advance(by: .seconds(3_600))
      #expect(try await bench.alerts().count == 1)
    }
  }

  @Test("M10: makes one summary of a backlog, however many batches it fills")
  func severalBatches() async throws {
    let (bench, broker) = try await benchWithSensor(cooldown: 60)
    bench.time.clock.advance(by: .seconds(3_600))
    try await bench.ingesting(from: broker, batchLimit: 20) { () async throws in
      await broker.deliver([.connected(sessionPresent: true, at: bench.time.now)])
      for batch in 0..<10 {
        await broker.deliver(
          (0..<20).map { bench.status(90, uptime: 110 + batch * 200 + $0 * 10) })
        await broker.acknowledged(batch * 20 + 20)
      }
      #expect(try await bench.alerts().map(\.kind) == [.backlog])
    }
  }

  @Test("R01: tells once of what became true while we were down, and still is")
  func becameTrueMeanwhile() async throws {
    // "second run: level goes high while the daemon is down": "second run alerts once"
    let (bench, broker) = try await benchWithSensor(cooldown: 3_600)
    bench.time.clock.advance(by: .seconds(600))
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver([.connected(sessionPresent: true, at: bench.time.now)])
      await broker.deliver(queue(bench, levels: Array(repeating: 90, count: 60)))
      await broker.acknowledged(60)
      #expect(try await bench.alerts().map(\.kind) == [.rule])
    }
  }

  @Test("R01: is silent until the cooldown ends, across a restart")
  func cooldownAcrossRestart() async throws {
    // "alert fires (cooldown 10 min); kill -9 and restart after 1 min with the level still high":
    // "first run silent until the cooldown ends"
    let (bench, broker) = try await benchWithSensor(cooldown: 600)
    try await bench.ingesting(from: broker) { () async throws in
      bench.time.clock.advance(by: .seconds(10))
      await broker.deliver(bench.connected, bench.status(90, uptime: 110))
      await broker.acknowledged(1)
    }
    #expect(try await bench.alerts().count == 1)
    let fired = bench.time.now
    bench.time.clock.advance(by: .seconds(60))
    let again = FakeBroker()
    try await bench.ingesting(from: again) { () async throws in
      // Somebody waits for the sensor, so that every reading is a batch of its own.
      let subscription = await bench.feed.subscribe(awaiting: sensorID(1))
      await again.deliver([.connected(sessionPresent: true, at: bench.time.now)])
      for step in 0..<60 {
        await again.deliver(bench.status(90, uptime: 170 + step * 10))
        await again.acknowledged(step + 1)
        bench.time.clock.advance(by: .seconds(10))
      }
      withExtendedLifetime(subscription) {}
      let alerts = try await bench.alerts()
      #expect(alerts.map(\.at) == [fired, fired + .seconds(600)])
    }
  }

  @Test("gives the same alerts wherever the process was killed", arguments: 0..<6)
  func restartEquivalence(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let levels = (0..<60).map { _ in Int.random(in: 70...90, using: &generator) }
    let kills = levels.indices.map { index -> FakeBroker.Moment? in
      guard index > 0, index < levels.count - 1 else { return nil }
      return [nil, nil, .pause, .acknowledge].randomElement(using: &generator) ?? nil
    }
    let told = try await alerts(of: levels, killedAt: kills.map { _ in nil })
    #expect(told.count > 3)
    #expect(try await alerts(of: levels, killedAt: kills) == told)
  }

  /// When which value was told, if the process is killed at these moments of these readings' commits.
  private func alerts(
    of levels: [Int], killedAt kills: [FakeBroker.Moment?]
  ) async throws -> [String] {
    let bench = try IngestBench()
    try await bench.enrol()
    try await bench.rule(cooldown: 60)
    // Somebody waits for the sensor, so that every reading is a batch of its own.
    let subscription = await bench.feed.subscribe(awaiting: sensorID(1))
    var broker = FakeBroker()
    var expected = 0
    var lives = [(broker, Task { [broker] in await bench.ingest(from: broker).run() })]
    await broker.deliver(bench.connected)
    for (index, kill) in kills.enumerated() {
      if let kill { await broker.hold(at: kill) }
      await broker.deliver(bench.status(levels[index], uptime: 100 + index * 10))
      expected += 1
      if kill == nil {
        await broker.acknowledged(expected)
      } else {
        await broker.isHolding()
        bench.time.clock.advance(by: .seconds(3))
        // What the dead one did not acknowledge is delivered again.
        broker = await FakeBroker(after: broker, at: bench.time.now)
        lives.append((broker, Task { [broker] in await bench.ingest(from: broker).run() }))
        expected = 1
      }
      bench.time.clock.advance(by: .seconds(kill == nil ? 10 : 7))
    }
    let alerts = try await bench.alerts().map { "\($0.at) \($0.value ?? -1)" }
    withExtendedLifetime(subscription) {}
    for (broker, life) in lives {
      life.cancel()
      await broker.release()
      await life.value
    }
    return alerts
  }
}
