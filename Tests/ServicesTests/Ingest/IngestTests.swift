import Domain
import Host
import Services
import Storage
import TestSupport
import Testing

@Suite("Ingesting readings", .timeLimit(.minutes(1)))
struct IngestTests {
  @Test("stores a reading within five seconds, and only then acknowledges it")
  func commitAfterFiveSeconds() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.ingesting(from: broker) { () async throws in
      let live = await bench.feed.follow()
      await broker.deliver(bench.connected, bench.status(30, uptime: 100))
      // Live views have it before it is stored.
      #expect(await live.first { _ in true }?.sound.soundPct == 30)
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      #expect(await broker.acknowledgedCount == 0)
      #expect(try await bench.readings().isEmpty)

      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(1)
      let readings = try await bench.readings()
      #expect(readings.map(\.sound.soundPct) == [30])
      #expect(readings.map(\.at) == [bench.time.now - .seconds(5)])
      #expect(try await bench.state()?.firmware == "2.5.0")
    }
  }

  @Test("stores at once what fills a batch")
  func fullBatch() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.ingesting(from: broker, batchLimit: Ingest.siteBrokerBatch) { () async throws in
      await broker.deliver((1...20).map { bench.status(30, uptime: $0) })
      await broker.acknowledged(20)
      #expect(try await bench.readings().count == 20)
    }
  }

  @Test("stores at once what changes a rule, and its alert in the same breath")
  func ruleChange() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    let rule = try await bench.rule()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.status(81, uptime: 1))
      await broker.acknowledged(1)
      let alert = try #require(try await bench.alerts().first)
      #expect(alert.rule == rule.id)
      #expect(alert.value == 81)
      #expect(alert.state == .unread)
      #expect(alert.at == bench.time.now)
      let message = try #require(try await bench.outbox().first)
      #expect(message.id == alert.id)
      #expect(
        message.body
          == (try AlertBody(
            alert: alert, gateway: "gw", sensorName: SensorName("Hall 000000000001")
          )
          .encoded()))
      // Nobody else rings it: it was rung.
      await bench.bell.wait()
      // The condition is over, which is a change too.
      await broker.deliver(bench.status(20, uptime: 2))
      await broker.acknowledged(2)
      #expect(try await bench.store.read { try RuleStore($0).state(of: rule.id) }.isTold == false)
    }
  }

  @Test("enters an alert of a warning as read: it is silent")
  func warning() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.rule(severity: .warn)
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.status(81, uptime: 1))
      await broker.acknowledged(1)
      #expect(try await bench.alerts().map(\.state) == [.read])
    }
  }

  @Test("stores at once, though hidden, what an enrolment waits for")
  func awaited() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    let id = sensorID(7)
    try await bench.ingesting(from: broker) { () async throws in
      let stored = await bench.feed.subscribe(awaiting: id)
      await broker.deliver(bench.status(30, uptime: 1, of: id))
      let reading = await stored.first { $0.reading.sensor == id }
      #expect(reading?.reading.sound.soundPct == 30)
      #expect(try await bench.store.read { try SensorStore($0).all() }.isEmpty)
      #expect(await bench.unclaimed.all.isEmpty)
      // Registered, it has its first reading already.
      try await bench.enrol(id)
      #expect(try await bench.readings(of: id).map(\.key) == [try #require(reading).reading.key])
    }
  }

  @Test("stores what it has when the broker goes away, and knows it when it comes again")
  func brokerLost() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.rule()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.connected, bench.status(30, uptime: 1))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      let stored = await bench.feed.subscribe()
      await broker.disconnect()
      _ = await stored.first { _ in true }
      bench.time.clock.advance(by: .seconds(2))
      await broker.reconnect(at: bench.time.now, queued: [bench.status(81, uptime: 3)])
      await broker.acknowledged(2)
      #expect(try await bench.readings().map(\.sound.uptime) == [1, 3])
      #expect(try await bench.alerts().count == 1)
      #expect(await bench.board[.repeats] == 1)
    }
  }

  @Test("M09: keeps one of two deliveries of a reading, and two readings of one level")
  func doubled() async throws {
    // "publish the identical payload twice, 4 s apart, DUP=0": "one history row, one rule
    // evaluation. Two readings with equal level but different time are both kept."
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.rule(cooldown: 1)
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.connected, bench.status(90, uptime: 10))
      await broker.acknowledged(1)
      bench.time.clock.advance(by: .seconds(4))
      await broker.deliver(bench.status(90, uptime: 10))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(2)
      #expect(try await bench.readings().count == 1)
      #expect(try await bench.alerts().count == 1)
      await broker.deliver(bench.status(90, uptime: 20))
      await broker.acknowledged(3)
      #expect(try await bench.readings().count == 2)
      #expect(try await bench.alerts().count == 2)
    }
  }

  @Test("M01: takes a retained copy for the last known state, never for a reading")
  func retained() async throws {
    // "Old replay: shown as last known with its age, no alert, no second row. Fresh reading: one
    // alert."
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.rule()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.connected, bench.status(95, uptime: 50, isRetained: true))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(1)
      #expect(try await bench.readings().isEmpty)
      #expect(try await bench.alerts().isEmpty)
      let state = try #require(try await bench.state())
      #expect(state.retainedStatus == StatusSample.status(level: 95, uptime: 50))
      #expect(state.lastSeen == nil)

      // Restart of the broker: the same copy again; then a fresh 95.
      await broker.deliver(bench.connected, bench.status(95, uptime: 50, isRetained: true))
      await broker.deliver(bench.status(95, uptime: 60))
      await broker.acknowledged(3)
      #expect(try await bench.readings().count == 1)
      #expect(try await bench.alerts().count == 1)
    }
  }

  @Test("M05: refuses what is no reading, counts it by sensor, and goes on")
  func refused() async throws {
    // "message dropped and counted per sensor, last good value kept and ageing; … the next good
    // reading works."
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    let bad = ["nan", #"{"soundPct":nan,"uptime":1}"#, "[]", #"{"soundPct":null,"uptime":1}"#, ""]
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.connected, bench.status(30, uptime: 1))
      await broker.deliver(
        bad.map { bench.message("devices/\(sensorID(1))/status", Array($0.utf8)) })
      await broker.deliver(
        .oversized(topic: "devices/\(sensorID(1))/status", bytes: 50_000_000),
        bench.message("devices/nonsense/status", []), bench.status(31, uptime: 2))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(9)
      #expect(try await bench.readings().map(\.sound.soundPct) == [30, 31])
      #expect(try await bench.state()?.refusedPayloads == 6)
      #expect(await bench.board[.payloadsRefused] == 6)
      #expect(await bench.board[.payloadsOversized] == 1)
      #expect(await bench.board[.oddTopics] == 1)
      // "nan", "[]" and "" fail alike: one line for each cause.
      #expect(bench.log.all.filter { $0.component == "ingest" }.count == 4)
    }
  }

  @Test("holds sensors that are not registered as unclaimed, no more than so many")
  func unclaimed() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.ingesting(from: broker) { () async throws in
      for number in 1...6 {
        await broker.deliver(bench.status(number, uptime: 1, of: sensorID(number)))
        await bench.time.clock.sleepers(atLeast: 1)
        bench.time.clock.advance(by: .seconds(5))
        await broker.acknowledged(number)
      }
      await broker.deliver(bench.status(99, uptime: 1, of: sensorID(9), isRetained: true))
      await bench.time.clock.sleepers(atLeast: 1)
      #expect(await bench.unclaimed.all.map(\.id) == [6, 5, 4, 3].map(sensorID))
      #expect(await bench.unclaimed.find(sensorID(6))?.sound?.soundPct == 6)
      // Adopted, it is not unclaimed any more.
      try await bench.enrol(sensorID(6))
      await broker.deliver(bench.status(50, uptime: 2, of: sensorID(6)))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(8)
      #expect(await bench.unclaimed.all.map(\.id) == [5, 4, 3].map(sensorID))
    }
  }

  @Test("M06: takes thousands of readings at once without losing one")
  func flood() async throws {
    // "we stop reading the socket when the batch is full (nothing of QoS 1 is dropped)"
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.hold(at: .acknowledge)
      await broker.deliver((0..<1_000).map { bench.status($0 % 100, uptime: $0) })
      await broker.isHolding()
      // A commit that takes long: what comes meanwhile waits in the socket.
      await broker.deliver((1_000..<2_000).map { bench.status($0 % 100, uptime: $0) })
      #expect(try await bench.readings().count == 1_000)
      await broker.release()
      await broker.acknowledged(2_000)
      #expect(try await bench.readings().map(\.sound.uptime) == Array(0..<2_000))
    }
  }

  @Test("stores and acknowledges once more when it is stopped")
  func stopped() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.status(30, uptime: 1))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
    }
    #expect(try await bench.readings().count == 1)
    #expect(await broker.acknowledgedCount == 1)
  }

  @Test("tells of a sensor that acknowledges its reset")
  func reset() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.ingesting(from: broker) { () async throws in
      let resets = await bench.feed.resetAcknowledgements()
      await broker.deliver(
        bench.message("devices/\(sensorID(3))/cmd/reset_mqtt/ack", Array("ok".utf8)))
      #expect(await resets.first { _ in true } == sensorID(3))
    }
  }
}
