import Domain
import Host
import Storage

/// The loop that takes messages from the broker, stores what they hold, judges it by the rules and
/// only then lets the broker forget them (`docs/architecture.md`, "Readings").
package struct Ingest: Sendable {
  private let broker: any Broker
  private let database: Database
  private let feed: ReadingFeed
  private let board: StatusBoard
  private let unclaimed: UnclaimedSensors
  private let outboxBell: Bell
  private let gateway: String
  private let batchLimit: Int
  private let wallClockState: @Sendable () async -> WallClockState
  private let now: WallClock
  private let clock: any Clock<Duration>
  private let stopwatch: Stopwatch
  private let progress: Progress
  private let log: Log

  /// How many unacknowledged messages a broker sends before it waits: what fills a batch.
  package static let ownBrokerBatch = 1_000
  package static let siteBrokerBatch = 20

  /// - Parameters:
  ///   - outboxBell: rung when an alert waits to be forwarded.
  ///   - gateway: the gateway's id, as alerts carry it.
  ///   - batchLimit: `ownBrokerBatch` or `siteBrokerBatch`.
  package init(
    broker: any Broker, database: Database, feed: ReadingFeed, board: StatusBoard,
    unclaimed: UnclaimedSensors, outboxBell: Bell, gateway: String, batchLimit: Int,
    progress: Progress, wallClockState: @escaping @Sendable () async -> WallClockState,
    now: @escaping WallClock, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.broker = broker
    self.database = database
    self.feed = feed
    self.board = board
    self.unclaimed = unclaimed
    self.outboxBell = outboxBell
    self.gateway = gateway
    self.batchLimit = batchLimit
    self.progress = progress
    self.wallClockState = wallClockState
    self.now = now
    self.clock = clock
    stopwatch = Stopwatch(clock)
    log = Log("ingest")
  }

  /// Runs until cancelled; then what has been taken is stored and acknowledged once more.
  package func run() async {
    let start = await untilStored { () async throws(Fault) in
      try await database.read {
        Intake(registry: try Registry(reading: $0), clock: try ReadingClock(reading: $0))
      }
    }
    guard var intake = start else { return }
    var complaints = Complaints()
    while !Task.isCancelled {
      let deliveries = await take(for: intake.batch)
      progress.begin(.ingest)
      await gather(deliveries, into: &intake, &complaints)
      if intake.batch.isDue(at: stopwatch.elapsed, limit: batchLimit) {
        await commit(&intake, &complaints)
      }
      progress.rest(.ingest)
    }
    if intake.batch.begun != nil { await commit(&intake, &complaints) }
  }

  /// What has arrived; nothing when the batch is due.
  private func take(for batch: IngestBatch) async -> [Delivery] {
    guard let due = batch.due else { return await broker.take() }
    let rest = due - stopwatch.elapsed
    guard rest > .zero else { return [] }
    return await withTaskGroup(of: [Delivery].self) { group in
      group.addTask { await broker.take() }
      group.addTask {
        try? await clock.sleep(for: rest)
        return []
      }
      // The one that is cancelled may still have something: it must not be lost.
      let first = await group.next() ?? []
      group.cancelAll()
      return await group.reduce(into: first) { $0 += $1 }
    }
  }

  private func gather(
    _ deliveries: [Delivery], into intake: inout Intake, _ complaints: inout Complaints
  ) async {
    guard !deliveries.isEmpty else { return }
    do throws(Fault) {
      intake.registry = try await database.read { try Registry(reading: $0) }
    } catch {
      // Judged by what was known; the commit that follows deals with the store.
      await board.report(.storage, .degraded, error)
    }
    await unclaimed.forget(intake.registry.sensors.keys)
    let awaited = await feed.awaitedSensors
    let wallClock = await wallClockState()
    for delivery in deliveries {
      let notices = intake.take(
        delivery, at: stopwatch.elapsed, awaited: awaited, wallClock: wallClock)
      for notice in notices { await tell(notice, &complaints) }
    }
  }

  private func tell(_ notice: Intake.Notice, _ complaints: inout Complaints) async {
    switch notice {
    case .heard(let reading): await feed.hear(reading)
    case .unclaimed(let sensor, let sound, let time):
      await unclaimed.hear(sensor, sound, at: time)
    case .resetAcknowledged(let sensor): await feed.noteReset(of: sensor)
    case .counted(let tally): await board.count(tally)
    case .refused(let sensor, let error):
      if complaints.isFirst(error, of: sensor) {
        log.warning("a status message was refused", ["sensor": sensor, "why": error])
      }
    }
  }

  private func commit(_ intake: inout Intake, _ complaints: inout Complaints) async {
    await gather(await broker.pause(), into: &intake, &complaints)
    let write: IngestWrite
    do {
      write = try intake.close(gateway: gateway, at: now())
    } catch {
      preconditionFailure("an alert could not be written as JSON: \(error)")
    }
    guard !write.isEmpty else {
      await broker.acknowledge()
      return
    }
    let insertions = await untilStored { () async throws(Fault) in
      try await database.write { try write.apply(to: $0, at: now()) }
    }
    guard let insertions else { return }
    await broker.acknowledge()
    await publish(write, insertions)
  }

  private func publish(_ write: IngestWrite, _ insertions: [ReadingStore.Insertion]) async {
    let committedAt = now()
    let stored = zip(write.readings, insertions).compactMap { reading, insertion in
      insertion == .stored ? StoredReading(reading: reading, committedAt: committedAt) : nil
    }
    await feed.publish(stored)
    await board.count(.readingsStored, by: stored.count)
    let dropped = insertions.count { $0 == .dropped }
    if dropped > 0 { await board.count(.readingsDropped, by: dropped) }
    if !write.alerts.isEmpty {
      await feed.publish(write.alerts)
      await board.count(.alertsMade, by: write.alerts.count)
      outboxBell.ring()
    }
    await board.reportStorage(of: database)
  }

  /// Tries until the store does it; nil when the task is cancelled before it does.
  private func untilStored<Result: Sendable>(
    _ work: () async throws(Fault) -> Result
  ) async -> Result? {
    var backoff = Backoff(cap: .seconds(30))
    while true {
      do throws(Fault) {
        return try await work()
      } catch {
        await board.report(.storage, .down, error)
        guard !Task.isCancelled else { return nil }
        // A store that fails is not a loop that hangs.
        progress.rest(.ingest)
        try? await clock.sleep(for: backoff.next())
        progress.begin(.ingest)
      }
    }
  }
}

/// Which refusals have been logged: one line per sensor and cause.
private struct Complaints {
  private struct Complaint: Hashable {
    let sensor: SensorID
    let cause: String
  }

  private var known: Set<Complaint> = []

  /// Bounded: whoever can publish could name any number of sensors.
  mutating func isFirst(_ error: PayloadError, of sensor: SensorID) -> Bool {
    if known.count >= 1_024 { known = [] }
    return known.insert(Complaint(sensor: sensor, cause: error.cause)).inserted
  }
}
