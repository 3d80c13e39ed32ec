import Crypto
import Domain
import FoundationEssentials
import Host
import Storage

/// The loop that delivers what waits in the outbox (`docs/architecture.md`, "Forwarding").
///
/// All it remembers is in the database, so a message is sent until the backend has acknowledged it,
/// whatever happens to us in between; the same id in every try lets the backend drop repeats.
package struct Forwarder: Sendable {
  private let database: Database
  private let courier: any Courier
  private let sealKey: SealKey
  private let board: StatusBoard
  private let bell: Bell
  private let gateway: String
  private let userAgent: String
  private let progress: Progress
  private let now: WallClock
  private let clock: any Clock<Duration>
  private let stopwatch: Stopwatch
  private let log: Log

  /// The delays of a message, and of the whole queue while the backend does not answer: 1 s to 5 min.
  private static let backoff = Backoff(cap: .seconds(300))
  /// How many messages in a row may fail before the backend itself is taken to be the cause.
  private static let patience = 3
  /// How often old messages are looked for.
  private static let upkeep = Duration.seconds(3_600)
  private static let roundSize = 100

  /// - Parameters:
  ///   - bell: rung when there is something new to send, or another destination.
  ///   - gateway: the gateway's id, as alerts carry it.
  ///   - userAgent: `soundgate/<version>`.
  package init(
    database: Database, courier: any Courier, sealKey: SealKey, board: StatusBoard, bell: Bell,
    gateway: String, userAgent: String, progress: Progress, now: @escaping WallClock,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.database = database
    self.courier = courier
    self.sealKey = sealKey
    self.board = board
    self.bell = bell
    self.gateway = gateway
    self.userAgent = userAgent
    self.progress = progress
    self.now = now
    self.clock = clock
    stopwatch = Stopwatch(clock)
    log = Log("forwarder")
  }

  /// Whether the backend as a whole is being waited for, and since when nothing was tidied.
  private struct Standing {
    var destination: Destination?
    var backoff = Forwarder.backoff
    /// On the stopwatch: before this nothing is sent to `destination`.
    var resumesAt: Duration?
    var nextUpkeep = Duration.zero
  }

  /// Runs until cancelled.
  package func run() async {
    var standing = Standing()
    while !Task.isCancelled {
      progress.begin(.forwarder)
      var wait = Self.upkeep
      do throws(Fault) {
        wait = try await round(&standing)
      } catch {
        // The store's own writers say what is wrong with it.
        log.warning("the outbox could not be worked on", ["fault": error])
        wait = standing.backoff.next()
      }
      progress.rest(.forwarder)
      await bell.wait(atMost: max(wait, .milliseconds(1)), on: clock)
    }
  }

  /// Sends what is due; answers how long there is nothing to do.
  private func round(_ standing: inout Standing) async throws(Fault) -> Duration {
    let destination = try await destination()
    if destination != standing.destination {
      standing.destination = destination
      standing.resumesAt = nil
      standing.backoff.reset()
    }
    if let destination {
      if standing.resumesAt.map({ $0 <= stopwatch.elapsed }) ?? true {
        standing.resumesAt = nil
        try await send(to: destination, &standing)
      }
    } else {
      await board.report(.backend, .degraded, Fault(.backendUnset))
    }
    if stopwatch.elapsed >= standing.nextUpkeep {
      standing.nextUpkeep = stopwatch.elapsed + Self.upkeep
      try await keepUp(isForwarding: destination != nil)
    }
    return try await wait(standing)
  }

  private func destination() async throws(Fault) -> Destination? {
    do throws(Fault) {
      return try await database.read { [sealKey] in try Destination.load(from: $0, sealKey) }
    } catch {
      if error.code == .sealKey { await board.report(.backend, .down, error) }
      throw error
    }
  }

  private func wait(_ standing: Standing) async throws(Fault) -> Duration {
    let upkeep = standing.nextUpkeep - stopwatch.elapsed
    guard standing.destination != nil else { return upkeep }
    if let resumesAt = standing.resumesAt { return min(upkeep, resumesAt - stopwatch.elapsed) }
    let next = try await database.read { try OutboxStore($0).nextAttempt() }
    return next.map { min(upkeep, $0 - now()) } ?? upkeep
  }

  /// Sends what is due, oldest first, until nothing is or the backend is to be left alone.
  private func send(to destination: Destination, _ standing: inout Standing) async throws(Fault) {
    if await board[.backend]?.fault?.code == .backendUnset { await board.report(.backend, .ok) }
    var failuresInARow = 0
    while !Task.isCancelled {
      let due = try await database.read { [moment = now()] in
        try OutboxStore($0).due(at: moment, limit: Self.roundSize)
      }
      guard !due.isEmpty else { return }
      for message in due {
        guard !Task.isCancelled else { return }
        progress.begin(.forwarder)
        let (verdict, isAnswered) = await deliver(message, to: destination)
        try await settle(message, verdict)
        guard case .retry(_, let after) = verdict else {
          failuresInARow = 0
          standing.backoff.reset()
          continue
        }
        failuresInARow += 1
        if !isAnswered || after != nil || failuresInARow >= Self.patience {
          let wait = standing.backoff.next()
          standing.resumesAt = stopwatch.elapsed + max(wait, after ?? .zero)
          return
        }
      }
    }
  }

  /// - Returns: what the answer means, and whether there was one.
  private func deliver(
    _ message: OutboxMessage, to destination: Destination
  ) async -> (DeliveryVerdict, isAnswered: Bool) {
    let request = destination.request(
      delivering: message, userAgent: userAgent, at: now())
    do throws(Fault) {
      return (DeliveryVerdict(try await courier.send(request), at: now()), true)
    } catch {
      return (.retry(error, after: nil), false)
    }
  }

  /// Writes down what became of a message, and says so.
  private func settle(
    _ message: OutboxMessage, _ verdict: DeliveryVerdict
  ) async throws(Fault) {
    switch verdict {
    case .delivered:
      try await database.write { try OutboxStore($0).delivered(message.id) }
      await board.count(.alertsDelivered)
      await board.report(.backend, .ok)
    case .refused(let fault):
      let isNews = try await database.write { [moment = now()] in
        try Self.park(message, because: fault, at: moment, in: $0)
      }
      await board.count(.alertsRefused)
      await board.report(.backend, .degraded, fault)
      if isNews { log.warning("the backend refuses alerts", ["fault": fault]) }
    case .retry(let fault, let after):
      var generator = SystemRandomNumberGenerator()
      let delay = Self.backoff.delay(
        afterFailures: message.attempts + 1, using: &generator)
      try await database.write { [next = now() + max(delay, after ?? .zero)] in
        try OutboxStore($0).reschedule(message.id, at: next)
      }
      await board.report(.backend, .down, fault)
    }
  }

  /// Sets a refused message aside. The first that is refused for a cause is itself an alert, in the
  /// alert centre only: posting it to who refuses it would go round in circles.
  private static func park(
    _ message: OutboxMessage, because fault: Fault, at time: Timestamp, in connection: SQLConnection
  ) throws -> Bool {
    let outbox = OutboxStore(connection)
    let isNews = try !outbox.parked().contains { $0.parked == fault }
    try outbox.park(message.id, because: fault)
    if isNews {
      try AlertStore(connection).insert(
        Alert(
          id: UUID(), kind: .refused, sensor: nil, severity: .high, state: .unread, at: time,
          label: fault.description, count: 1))
    }
    return isNews
  }

  /// Gives up what is seven days old. The loss is itself an alert, and forwarded; the loss of that one
  /// is only counted.
  private func keepUp(isForwarding: Bool) async throws(Fault) {
    let dropped = try await database.write { [gateway, moment = now()] connection in
      let hold: Timestamp? = try SettingStore(connection).value(.retentionHold)
      guard hold.map({ $0 <= moment }) ?? true else { return 0 }
      let outbox = OutboxStore(connection)
      try outbox.pullForward(
        beyond: moment + DeliveryVerdict.longestRequestedWait, to: moment)
      let ids = try outbox.dropOlder(than: moment - .seconds(7 * 86_400))
      let lost = try ids.filter { id in
        try AlertStore(connection).find(id)?.kind != .undelivered
      }
      if isForwarding, !lost.isEmpty {
        let alert = Alert(
          id: UUID(), kind: .undelivered, sensor: nil, severity: .high, state: .unread,
          at: moment, label: Code.undelivered.description, count: lost.count)
        try AlertStore(connection).insert(alert)
        try outbox.append(
          OutboxMessage(of: alert, gateway: gateway, sensorName: nil, at: moment))
      }
      return ids.count
    }
    if dropped > 0 {
      await board.count(.alertsDropped, by: dropped)
      log.error("alerts were given up after seven days", ["count": dropped])
    }
  }
}
