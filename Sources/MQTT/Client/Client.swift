import Dispatch
import Domain
import Host

/// One connection to a broker, kept up for as long as it runs.
///
/// The reader's side is `Broker`: what has been delivered is acknowledged when the reader says so and
/// not before, so that a crash loses nothing. libmosquitto queues an acknowledgement together with
/// everything else it has to send, and one write sends the whole queue; hence `flush()`, the one
/// place that writes, holds back while anything delivered is unacknowledged (`owed`).
package actor Client: Broker {
  let executor: QueueExecutor
  nonisolated package var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let settings: ClientSettings
  let clock: any Clock<Duration>
  let now: WallClock
  let log: Log
  private let dialler: Dialler
  var backoff: Backoff?
  private var running: Task<Void, Never>?
  private var isStopping = false

  // The connection of this moment.
  var session: Session?
  var watch: SocketWatch?
  var stage = Stage.idle
  private var ended: CheckedContinuation<Fault, Never>?
  var timers: [Timer: Task<Void, Never>] = [:]
  /// Subscriptions made at this connection and not yet granted, by packet id.
  var ungranted: [Int32: Subscription] = [:]

  // The reader.
  var untaken: [Delivery] = []
  var reader: CheckedContinuation<Void, Never>?
  /// Deliveries of this connection whose acknowledgement waits in libmosquitto's queue.
  var owed = 0
  var isPaused = false
  var unpaused: CheckedContinuation<Void, Never>?

  // Requests under way.
  var requests: [Int: PendingRequest] = [:]
  var lastRequest = 0

  // What is told.
  var standing = BrokerCondition.connecting
  var listeners: [Int: AsyncStream<BrokerCondition>.Continuation] = [:]
  var lastListener = 0
  var firstOutcome: [CheckedContinuation<Result<Void, Fault>, Never>] = []
  var lastReported: Fault?
  /// Connections in a row that came about and did not last.
  var shortLived = 0
  var isStable = false

  enum Stage: Equatable {
    case idle
    /// From the look-up to the last subscription granted.
    case opening(hasTCP: Bool, isWelcome: Bool)
    case connected
  }

  enum Timer { case opening, keepAlive, stable, commit }

  package init(
    _ settings: ClientSettings, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping WallClock
  ) {
    self.settings = settings
    self.clock = clock
    self.now = now
    log = Log("mqtt")
    backoff = settings.reconnection
    executor = QueueExecutor(label: "mqtt.\(settings.clientID)")
    dialler = Dialler(label: "mqtt.\(settings.clientID).dial")
  }

  /// Begins to connect, and to connect again whenever the connection is lost.
  package func start() {
    guard running == nil else { return }
    running = Task { await run() }
  }

  /// Starts, and waits for the first outcome: connected and subscribed, or the fault of the first
  /// attempt.
  package func connect() async throws(Fault) {
    start()
    if case .connected = stage { return }
    try await withCheckedContinuation { firstOutcome.append($0) }.get()
  }

  /// Says farewell and leaves; nothing that is still owed is acknowledged.
  package func stop() async {
    guard !isStopping else { return }
    isStopping = true
    if stage == .connected, owed == 0 {
      if let presence = settings.presence, presence.isSpoken {
        _ = try? await request(
          .publish(
            Array(presence.offline.utf8), topic: presence.topic, qos: presence.qos, retained: true),
          within: settings.deadlines.farewell)
      }
      if owed == 0 {
        session?.disconnect()
        flush()
      }
    }
    leave()
  }

  /// Leaves without a word, as a machine whose power is cut: the broker says the last will.
  package func abandon() {
    guard !isStopping else { return }
    isStopping = true
    leave()
  }

  private func leave() {
    running?.cancel()
    end(Fault(.shuttingDown))
    unpaused?.resume()
    unpaused = nil
    for listener in listeners.values { listener.finish() }
    listeners = [:]
    tellFirstOutcome(.failure(Fault(.shuttingDown)))
  }

  /// Enters the actor from the queue it runs on: a socket became ready, a waiting task was cancelled.
  nonisolated func enter(_ body: @escaping @Sendable (isolated Client) -> Void) {
    executor.queue.async { self.assumeIsolated(body) }
  }

  // MARK: - The life of a connection

  private func run() async {
    while !isStopping {
      let fault = await attempt()
      if isStopping { return }
      report(fault)
      tellFirstOutcome(.failure(fault))
      guard let delay = backoff?.next() else { return }
      try? await clock.sleep(for: delay)
      await commitEnded()
    }
  }

  /// One attempt, from the look-up to the end of the connection, and why it ended.
  private func attempt() async -> Fault {
    stage = .opening(hasTCP: false, isWelcome: false)
    setTimer(.opening, after: settings.deadlines.opening)
    do {
      let dialled = try await dialler.dial(settings, now: now)
      if let fault = dialled.fault { return closed(fault) }
      // The deadline, or a stop, came while the host was looked up.
      if stage == .idle { return openingTimeout }
      let socket = dialled.session.socket
      session = consume dialled.session
      guard watch(socket) else { return closed(Fault(.internalFault, "no descriptor left")) }
    } catch {
      return closed(error)
    }
    return await withCheckedContinuation { ended = $0 }
  }

  var openingTimeout: Fault {
    Fault(.brokerUnreachable, "no answer within \(settings.deadlines.opening)")
  }

  /// Ends the connection, if there is one, and lets `attempt` return.
  func end(_ fault: Fault) {
    guard stage != .idle else { return }
    let fault = closed(fault)
    ended?.resume(returning: fault)
    ended = nil
  }
}
