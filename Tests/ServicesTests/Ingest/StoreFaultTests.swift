import Domain
import Host
import Services
import Storage
import TestSupport
import Testing

@Suite("Ingesting while things fail", .timeLimit(.minutes(1)))
struct StoreFaultTests {
  @Test("keeps unacknowledged what the store will not take, and stores it once it can")
  func storeFault() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.rule()
    try await bench.store.write { connection in
      try connection.run(
        "CREATE TRIGGER no BEFORE INSERT ON reading BEGIN SELECT RAISE (ABORT, 'no'); END")
    }
    try await bench.ingesting(from: broker) { () async throws in
      let changes = await bench.board.changes()
      await broker.deliver(bench.status(90, uptime: 1))
      let change = await changes.first { $0.component == .storage }
      #expect(change?.level == .down)
      #expect(change?.fault?.code == .storeWrite)
      await bench.time.clock.sleepers(atLeast: 1)
      #expect(await broker.acknowledgedCount == 0)
      #expect(try await bench.alerts().isEmpty)

      try await bench.store.write { try $0.run("DROP TRIGGER no") }
      bench.time.clock.advance(by: .seconds(30))
      await broker.acknowledged(1)
      #expect(try await bench.readings().count == 1)
      #expect(try await bench.alerts().count == 1)
      #expect(await bench.board[.storage]?.level != .down)
    }
  }

  @Test("D03: gives up raw readings on a full disk, and lets the alert out")
  func fullDisk() async throws {
    // "process lives, alert still goes out: … raw rows are then the one thing dropped, counted and
    // acknowledged; status shows 'disk full', storing resumes by itself"
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.rule()
    try await bench.store.write { connection in
      let pages: Int64? = try connection.value("SELECT page_count AS value FROM pragma_page_count")
      try connection.run("PRAGMA max_page_count = \(pages ?? 0)")
    }
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver((0..<999).map { bench.status(20, uptime: $0) })
      await broker.deliver(bench.status(90, uptime: 999))
      await broker.acknowledged(1_000)
      // The bell is rung once the commit is told of.
      await bench.bell.wait()
      #expect(try await bench.readings().isEmpty)
      #expect(try await bench.alerts().count == 1)
      #expect(try await bench.outbox().count == 1)
      #expect(await bench.board[.readingsDropped] == 1_000)
      try await bench.store.write { try $0.run("PRAGMA max_page_count = 1000000") }
      await broker.deliver(bench.status(20, uptime: 1_000))
      await broker.acknowledged(1_001)
      #expect(try await bench.readings().map(\.sound.uptime) == [1_000])
    }
    #expect(await bench.board[.storage]?.level == .ok)
  }

  @Test("TC-IOS-ROB-01: loses the network without a crash, and recovers when it is back")
  func networkLost() async throws {
    // "message d'erreur réseau affiché, pas de crash, récupération au retour du réseau"
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.connected, bench.status(20, uptime: 100))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      let stored = await bench.feed.subscribe()
      await broker.disconnect(Fault(.brokerUnreachable, "no route to host"))
      _ = await stored.first { _ in true }
      guard case .down(let fault, _) = await broker.condition() else {
        Issue.record("the broker is not down")
        return
      }
      #expect(fault.code == .brokerUnreachable)
      bench.time.clock.advance(by: .seconds(600))
      await broker.reconnect(
        at: bench.time.now,
        queued: [bench.status(30, uptime: 300), bench.status(40, uptime: 700)])
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(3)
      let readings = try await bench.readings()
      #expect(readings.map(\.sound.soundPct) == [20, 30, 40])
      #expect(readings[1].at == readings[0].at + .seconds(200))
    }
  }

  @Test("C01: leaves nothing of an unset clock as a fact, and fires no rule by it")
  func unsetClock() async throws {
    // "start at 2020-01-01, feed readings, jump to today": "rows written before sync are marked or
    // re-dated, never left as 2020 facts"
    let bench = try IngestBench(wallClockState: .unsynchronised)
    let broker = FakeBroker()
    let today = bench.time.now
    try await bench.enrol()
    try await bench.rule()
    bench.time.set(to: Timestamp(seconds: 1_577_836_800))
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.connected, bench.status(90, uptime: 100))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(1)
      #expect(try await bench.readings().map(\.isDated) == [false])
      #expect(try await bench.alerts().isEmpty)
      #expect(try await bench.state()?.lastSeen == nil)

      bench.time.set(to: today)
      await broker.deliver(bench.status(90, uptime: 110))
      await broker.acknowledged(2)
      #expect(try await bench.readings().map(\.isDated) == [false, true])
      #expect(try await bench.alerts().map(\.at) == [today])
    }
  }

  @Test("marks as uncertain what no live reading dates in time")
  func undatable() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await bench.rule()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(
        .connected(sessionPresent: true, at: bench.time.now), bench.status(90, uptime: 10),
        bench.status(90, uptime: 20))
      await bench.time.clock.sleeper(dueIn: .seconds(12))
      bench.time.clock.advance(by: .seconds(12))
      await broker.acknowledged(2)
      #expect(try await bench.readings().map(\.isDated) == [false, false])
      #expect(try await bench.alerts().isEmpty)
      // The next one agrees with the wall clock: it is live, and dates what waits.
      await broker.deliver(bench.status(90, uptime: 32))
      await broker.acknowledged(3)
      #expect(try await bench.alerts().count == 1)
    }
  }

  @Test("M07: writes down what the availability topic says, and lets a reading outrank it")
  func availability() async throws {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    let topic = "devices/\(sensorID(1))/availability"
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(
        bench.message(topic, Array("offline".utf8), isRetained: true),
        bench.message(topic, Array("nonsense".utf8)))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(2)
      let now = bench.time.now
      #expect(
        try await bench.state()?.connectivity(at: now) == .offline(since: now - .seconds(5)))
      await broker.deliver(bench.status(20, uptime: 1))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
      bench.time.clock.advance(by: .seconds(5))
      await broker.acknowledged(3)
      #expect(try await bench.state()?.connectivity(at: bench.time.now) == .online)
    }
  }
}
