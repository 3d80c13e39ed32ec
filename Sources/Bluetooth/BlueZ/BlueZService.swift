import Dispatch
import Domain
import Host

/// The Bluetooth service as this program follows it: the connection to the bus, the mirror of its
/// objects, and whoever waits for something to happen in it.
///
/// `run()` keeps it going whatever becomes of the bus or of bluetoothd; both may come and go.
actor BlueZService {
  /// Everything on BlueZ's side of this program runs on this one queue.
  nonisolated let executor = QueueExecutor(label: "soundgate.bluez")
  private let busAddress: String
  private let log = Log("bluetooth")
  nonisolated let clock: any Clock<Duration>
  private var connection: DBus.Connection?
  private var loading: Task<Void, Never>?
  /// What was said since all objects were asked for; nil while no such question is under way.
  private var early: [DBus.Signal]?
  private var lastNumber = 0
  private var marks: [Int: () -> Void] = [:]
  private var waiters: [Int: (BlueZSnapshot?) -> Bool] = [:]
  private(set) var snapshot: BlueZSnapshot
  /// Who reads advertisements, and who reads values, by characteristic.
  var readers: [Int: SightingReader] = [:]
  var feeds: [String: ValueFeed] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Does something here, after all that waits its turn.
  nonisolated func later(_ body: @escaping @Sendable (isolated BlueZService) -> Void) {
    executor.queue.async { self.assumeIsolated(body) }
  }

  init(
    busAddress: String, adapter: BluetoothAddress?, rfkill: RFKill, clock: any Clock<Duration>
  ) {
    self.busAddress = busAddress
    self.clock = clock
    snapshot = BlueZSnapshot(choice: adapter, rfkill: rfkill)
  }

  /// Follows the service until the task is cancelled.
  func run() async {
    var backoff = Backoff(cap: .seconds(30))
    while !Task.isCancelled {
      do {
        let connection = try await DBus.Connection.open(busAddress, clock: clock)
        let events = try await connection.follow(BlueZ.service)
        backoff.reset()
        self.connection = connection
        for await event in events { take(event) }
        self.connection = nil
        await connection.close()
        become(.busLost(.standard(.disconnected)))
      } catch {
        become(.busLost(error))
      }
      try? await clock.sleep(for: backoff.next())
    }
  }

  // MARK: Calling

  /// Calls `org.bluez`. When it returns, the mirror shows every signal that came before the reply.
  @discardableResult
  func call(
    _ path: String, _ interface: String, _ member: String, _ body: [DBus.Value] = [],
    within deadline: Duration
  ) async throws(BlueZError) -> [DBus.Value] {
    guard let connection else { throw BlueZError(.standard(.disconnected)) }
    let result: Result<[DBus.Value], BusError>
    do {
      let call = DBus.Call(BlueZ.service, path, interface, member, body)
      result = .success(try await connection.call(call, within: deadline))
    } catch {
      result = .failure(error)
    }
    await settle(connection)
    do { return try result.get() } catch { throw BlueZError(error) }
  }

  private func settle(_ connection: DBus.Connection) async {
    guard connection === self.connection else { return }
    let number = nextNumber()
    await withCheckedContinuation { continuation in
      marks[number] = { continuation.resume() }
      connection.mark(number)
    }
  }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Waiting

  /// Waits until `condition` finds its answer in what is known.
  ///
  /// - Returns: nil after `limit`, or when the calling task is cancelled.
  func wait<Answer: Sendable>(
    within limit: Duration? = nil, for condition: @escaping @Sendable (BlueZSnapshot) -> Answer?
  ) async -> Answer? {
    if let answer = condition(snapshot) { return answer }
    guard !Task.isCancelled, limit.map({ $0 > .zero }) ?? true else { return nil }
    let number = nextNumber()
    let timer = limit.map { limit in
      Task { [weak self, clock] in
        guard (try? await clock.sleep(for: limit)) != nil else { return }
        await self?.giveUp(number)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters[number] = { snapshot in
          guard let snapshot else {
            continuation.resume(returning: nil)
            return true
          }
          guard let answer = condition(snapshot) else { return false }
          continuation.resume(returning: answer)
          return true
        }
      }
    } onCancel: {
      later { $0.giveUp(number) }
    }
  }

  private func giveUp(_ number: Int) {
    _ = waiters.removeValue(forKey: number)?(nil)
  }

  // MARK: What happens

  private func take(_ event: DBus.ServiceEvent) {
    switch event {
    case .owner(nil): become(.absent("nobody owns org.bluez"))
    case .owner(_?):
      become(.unknown)
      loading = Task { await load() }
    case .mark(let number): marks.removeValue(forKey: number)?()
    case .signal(let signal):
      guard snapshot.standing == .present else {
        early?.append(signal)
        return
      }
      guard let change = snapshot.tree.apply(signal) else { return }
      tell(change)
      settleWaiters()
    }
  }

  private func tell(_ change: ObjectTree.Change) {
    switch change {
    case .heard(let path): snapshot.tree.device(path).map(hear)
    case .value(let path, let bytes): feeds[path]?.take(bytes)
    case .other: return
    }
  }

  /// Changes what the waiters look at, and has them look.
  func update(_ change: (inout BlueZSnapshot) -> Void) {
    change(&snapshot)
    settleWaiters()
  }

  /// Reads all objects, again and again while bluetoothd cannot answer; a refusal by policy is
  /// tried again only now and then.
  private func load() async {
    var backoff = Backoff(cap: .seconds(30))
    let all = DBus.Call(BlueZ.service, "/", BlueZ.objectManager, "GetManagedObjects")
    while let connection, !Task.isCancelled {
      early = []
      do {
        let objects = try await connection.call(all).first ?? .properties([:])
        guard !Task.isCancelled else { return }
        fill(objects, connection)
        return
      } catch {
        guard !Task.isCancelled else { return }
        early = nil
        let isDenied = error.standard == .accessDenied
        become(isDenied ? .denied(error) : .absent(error.description), isSameEpoch: true)
        try? await clock.sleep(for: isDenied ? .seconds(60) : backoff.next())
      }
    }
  }

  /// Fills the mirror with what the reply shows and what was said since the question. Which of those
  /// signals came before the reply is not known, nor does it matter: taken in order they lead from any
  /// state between question and mark to that at the mark.
  private func fill(_ objects: DBus.Value, _ connection: DBus.Connection) {
    let number = nextNumber()
    let epoch = snapshot.epoch
    marks[number] = { [weak self] in
      self?.assumeIsolated { service in
        guard service.snapshot.epoch == epoch else { return }
        service.snapshot.tree.fill(objects)
        for signal in service.early ?? [] { _ = service.snapshot.tree.apply(signal) }
        service.early = nil
        service.become(.present, isSameEpoch: true)
      }
    }
    connection.mark(number)
  }

  private func become(_ standing: BlueZSnapshot.Standing, isSameEpoch: Bool = false) {
    if standing != snapshot.standing, standing != .unknown, !Task.isCancelled {
      log.notice(standing.sentence, ["detail": standing.detail])
    }
    snapshot.standing = standing
    if !isSameEpoch { reset() }
    settleWaiters()
  }

  private func reset() {
    snapshot.epoch += 1
    snapshot.tree.clear()
    loading?.cancel()
    loading = nil
    early = nil
    for mark in marks.values { mark() }
    marks = [:]
  }

  private func settleWaiters() {
    endLostReaders()
    for (number, waiter) in waiters where waiter(snapshot) { waiters[number] = nil }
  }
}
