import Domain
import FoundationEssentials
import Host

/// One enrolment under way: commands and events meet here, one at a time.
///
/// Each transition is written down before it takes effect. A command whose transition cannot be
/// written is refused; what an event changed is kept and written with the next transition.
actor EnrolmentSession {
  let id: UUID
  let context: EnrolmentContext
  let scanner: SensorScanner
  let slots: LinkSlots
  let log: Log

  private(set) var machine: Enrolment
  private(set) var record: EnrolmentRecord
  /// Entries that could not be written yet.
  private var unwritten: [AuditEntry] = []
  private var inbox: AsyncStream<Input>.Continuation?
  private var loop: Task<Void, Never>?
  private var isStopping = false
  let views = Fanout<EnrolmentView>(buffer: 16)
  private var whenEnded: (@Sendable () async -> Void)?

  // MARK: What is under way

  var timer: Timer?
  private var timerTask: Task<Void, Never>?
  private var timerNumber = 0
  var scanWatch: Task<Void, Never>?
  var connection: Task<Void, Never>?
  var link: (any Link)?
  var linkWatches: [Task<Void, Never>] = []
  /// The GATT operations, one after the other.
  var gatt: Task<Void, Never>?
  var farewell: Task<Void, Never>?
  var attempt: Int?
  var holdsSlot = false
  var windowOpenedAt: Timestamp?
  var saysOnline = false
  var waysBack: [WayBack] = []
  /// Held from the time they are given until the network is known to be good.
  var network: (credentials: WiFiCredentials, remember: Bool)?
  var account: Task<Void, Never>?
  var mqtt: MQTTCredentials?
  var proofWatches: [Task<Void, Never>] = []
  var brokerVerdict: BrokerVerdict?
  var proof: FirstReadingProof?
  var followsLog = false

  /// What time may run out of, and when.
  struct Timer: Hashable, Sendable {
    let deadline: Enrolment.Deadline
    let endsAt: Timestamp
  }

  /// How a command ended.
  typealias Answer = Result<EnrolmentView, EnrolmentRefusal>

  private enum Input: Sendable {
    case command(Request, CheckedContinuation<Answer, Never>)
    case event(Enrolment.Event)
    case timeIsUp(Enrolment.Deadline, number: Int)
  }

  /// A command with who gave it and what for.
  struct Request: Sendable {
    let command: Enrolment.Command
    let step: EnrolmentStep?
    let operatorName: String
    var remembersNetwork = false
  }

  init(
    _ machine: Enrolment, record: EnrolmentRecord, context: EnrolmentContext,
    scanner: SensorScanner, slots: LinkSlots, log: Log
  ) {
    id = record.id
    self.machine = machine
    self.record = record
    self.context = context
    self.scanner = scanner
    self.slots = slots
    self.log = log
    windowOpenedAt = machine.progress.peripheral?.firstSeen
  }

  /// Takes up what its state asks for, and from now on commands and events.
  ///
  /// - Parameter whenEnded: called once, after it has ended and tidied up.
  func start(whenEnded: @escaping @Sendable () async -> Void) async {
    self.whenEnded = whenEnded
    let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
    inbox = continuation
    await perform(machine.begin())
    if machine.step == .receiveReading, machine.progress.deliveredAt != nil {
      await watchForProof(afterRestart: true)
    }
    loop = Task { for await input in inputs { await take(input) } }
  }

  /// Lets everything go without changing where the enrolment stands: the daemon stops.
  func stop() async {
    isStopping = true
    inbox?.finish()
    await loop?.value
    clearTimer()
    stopWatchingForProof()
    scanWatch?.cancel()
    await scanner.release(id)
    await closeLink()
  }

  /// Carries out a command.
  func carryOut(_ request: Request) async -> Answer {
    guard let inbox else { return .failure(.shuttingDown) }
    return await withCheckedContinuation { continuation in
      if case .terminated = inbox.yield(.command(request, continuation)) {
        continuation.resume(returning: .failure(isStopping ? .shuttingDown : .notAllowed(.ended)))
      }
    }
  }

  func post(_ event: Enrolment.Event) { inbox?.yield(.event(event)) }

  private func take(_ input: Input) async {
    let hadEnded = machine.progress.hasEnded
    switch input {
    case .command(let request, let continuation):
      continuation.resume(returning: isStopping ? .failure(.shuttingDown) : await take(request))
    case _ where isStopping: return
    case .event(let event): await take(event)
    case .timeIsUp(let deadline, let number):
      guard number == timerNumber else { return }
      timer = nil
      await take(.deadlinePassed(deadline, blame: await blame(for: deadline)))
    }
    if machine.progress.hasEnded, !hadEnded { await end() }
  }

  private func take(_ request: Request) async -> Answer {
    var next = machine
    let effects: [Enrolment.Effect]
    do {
      effects = try next.take(request.command, validating: request.step)
    } catch {
      log.warning(
        "refused a command",
        ["enrolment": id, "command": request.command.word, "why": "\(error)"])
      return .failure(.notAllowed(error))
    }
    let connects = effects.contains { if case .connect = $0 { true } else { false } }
    if connects {
      if let other = await slots.take(for: id) { return .failure(.linksBusy(with: other)) }
      holdsSlot = true
    }
    do {
      let entry = entry(to: next, why: request.command.word, by: request.operatorName)
      switch try await write(next, entry, effects) {
      case .written: break
      case .taken(let other):
        await giveBackSlot()
        return .failure(.taken(by: other))
      }
    } catch {
      log.error(
        "progress was not written, the step is kept",
        ["enrolment": id, "command": request.command.word, "fault": error])
      await giveBackSlot()
      return .failure(.fault(error))
    }
    if case .sendWiFi(let credentials) = request.command {
      network = (credentials, request.remembersNetwork)
    }
    await enter(next, effects)
    return .success(view)
  }

  private func take(_ event: Enrolment.Event) async {
    var next = machine
    let effects = next.observe(event)
    guard next != machine || !effects.isEmpty else { return }
    if next.progress != machine.progress || next.state.word != machine.state.word {
      let entry = entry(to: next, why: event.word, by: event.actor)
      do {
        _ = try await write(next, entry, effects)
      } catch {
        log.error(
          "progress was not written", ["enrolment": id, "event": event.word, "fault": error])
        // Nothing goes to the sensor that is not on record.
        if effects.contains(.writeMQTT) { return await take(.accountFailed(error)) }
        unwritten.append(entry)
      }
    }
    await enter(next, effects)
  }

  private func entry(to next: Enrolment, why: String, by actor: String) -> AuditEntry {
    AuditEntry(
      enrolment: id, at: context.now(), operatorName: actor, from: machine.state.word,
      to: next.state.word, why: why, step: next.step.rawValue)
  }

  private func write(
    _ next: Enrolment, _ entry: AuditEntry, _ effects: [Enrolment.Effect]
  ) async throws(Fault) -> EnrolmentLedger.Outcome {
    let updated = try record.updated(to: next.progress, at: entry.at)
    let outcome = try await EnrolmentLedger(database: context.database).write(
      updated, next.progress, entries: unwritten + [entry], effects: effects)
    if outcome == .written {
      record = updated
      unwritten = []
    }
    return outcome
  }

  private func enter(_ next: Enrolment, _ effects: [Enrolment.Effect]) async {
    let old = machine
    machine = next
    if old.state.word != next.state.word {
      log.info(
        "\(old.state.word) → \(next.state.word)",
        ["enrolment": id, "sensor": next.progress.peripheral?.sensor.text ?? "-"])
    }
    await perform(effects)
    await leave(old.state)
    views.yield(view)
  }

  private func end() async {
    inbox?.finish()
    farewell?.cancel()
    await closeLink()
    await account?.value
    await whenEnded?()
  }

  // MARK: Deadlines

  func setTimer(_ deadline: Enrolment.Deadline, _ time: Duration) {
    clearTimer()
    let number = timerNumber
    timer = Timer(deadline: deadline, endsAt: context.now() + time)
    timerTask = Task { [clock = context.clock] in
      guard (try? await clock.sleep(for: time)) != nil else { return }
      inbox?.yield(.timeIsUp(deadline, number: number))
    }
  }

  func clearTimer() {
    timerNumber += 1
    timerTask?.cancel()
    timer = nil
  }
}
