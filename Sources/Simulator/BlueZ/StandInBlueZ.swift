import Bluetooth
import Domain

/// A service that behaves like bluetoothd on a private bus, with the simulated sensors on its air.
///
/// It answers as BlueZ does (`doc/org.bluez.*.rst`), in BlueZ's order of signals and in about its
/// time, and it misbehaves when told to (`misbehave`), the way the field has seen BlueZ misbehave.
package actor StandInBlueZ {
  let time: SimulatorTime
  private let busAddress: String
  private var connection: DBus.Connection?
  private var pump: Task<Void, Never>?
  private var serving: Task<Void, Never>?
  private var outgoing: AsyncStream<Outgoing>.Continuation?
  /// Everything on its way by itself: links coming up, silences being noticed, radios listened to.
  private var errands: [Int: Task<Void, Never>] = [:]
  private var lastErrand = 0
  private var journal = Journal<BlueZEvent>()
  private var misbehaviours: [(kind: Misbehaviour, times: Int)] = []

  var objects = BlueZObjects()
  /// The adapters by object path.
  var adapters: [String: StandInAdapter] = [:]
  var transmitters: [BluetoothAddress: Transmitter] = [:]
  var links: [String: StandInLink] = [:]
  /// The attempts to connect under way, by device path; another number means another attempt.
  var attempts: [String: Int] = [:]
  var lastNumber = 0
  /// When each device was last heard, by object path.
  var heardAt: [String: Duration] = [:]
  var isListening = false
  var watched: Set<String> = []

  static let name = "org.bluez"

  private enum Outgoing: Sendable {
    case signal(DBus.Signal)
    case answer(DBus.IncomingCall, [DBus.Value])
    case refusal(DBus.IncomingCall, BusError)
  }

  package init(busAddress: String, time: SimulatorTime = SimulatorTime()) {
    self.busAddress = busAddress
    self.time = time
  }

  // MARK: Life

  /// Connects to the bus, shows one adapter (unless told otherwise) and takes the name.
  package func start(adapter: Bool = true) async throws(BusError) {
    let connection = try await DBus.Connection.open(busAddress)
    self.connection = connection
    let (stream, continuation) = AsyncStream.makeStream(of: Outgoing.self)
    outgoing = continuation
    pump = Task {
      for await item in stream {
        switch item {
        case .signal(let signal): try? await connection.emit(signal)
        case .answer(let call, let body): try? await connection.answer(call, body)
        case .refusal(let call, let error): try? await connection.refuse(call, error)
        }
      }
    }
    let calls = await connection.incomingCalls()
    serving = Task { [weak self] in
      for await call in calls { await self?.receive(call) }
    }
    if adapter { addAdapter() }
    try await connection.own(Self.name)
  }

  /// Leaves the bus and ends every stream.
  package func stop() async {
    for errand in errands.values { errand.cancel() }
    errands = [:]
    serving?.cancel()
    outgoing?.finish()
    await pump?.value
    await connection?.close()
    connection = nil
    journal.finish()
  }

  func takeName() async { try? await connection?.own(Self.name) }

  func releaseName() async { try? await connection?.release(Self.name) }

  /// Follows a client, for what ends with it.
  func follow(_ client: String) async -> AsyncStream<DBus.ServiceEvent>? {
    try? await connection?.follow(client)
  }

  // MARK: What happened

  /// Everything that has happened and happens; one reader.
  package func events() -> AsyncStream<BlueZEvent> { journal.stream() }

  /// Everything that has happened (the newest 4096).
  package var history: [BlueZEvent] { journal.entries }

  func note(_ kind: BlueZEvent.Kind) {
    journal.note(BlueZEvent(at: time.now, kind: kind))
  }

  // MARK: Misbehaving

  /// Misbehaves the next `times` times that there is occasion to.
  package func misbehave(_ kind: Misbehaviour, times: Int = .max) {
    misbehaviours.append((kind, times))
  }

  /// Behaves from now on.
  package func behave() { misbehaviours = [] }

  /// Whether this is an occasion for the misbehaviour.
  func isTime(for kind: Misbehaviour) -> Bool { occasion { $0 == kind } != nil }

  func occasion(_ matches: (Misbehaviour) -> Bool) -> Misbehaviour? {
    guard let index = misbehaviours.firstIndex(where: { matches($0.kind) }) else { return nil }
    let kind = misbehaviours[index].kind
    if misbehaviours[index].times != .max { misbehaviours[index].times -= 1 }
    if misbehaviours[index].times == 0 { misbehaviours.remove(at: index) }
    return kind
  }

  // MARK: Sending

  func emit(_ signal: DBus.Signal?) {
    if let signal { outgoing?.yield(.signal(signal)) }
  }

  func answer(_ call: DBus.IncomingCall, _ body: [DBus.Value] = []) {
    outgoing?.yield(.answer(call, body))
  }

  func refuse(_ call: DBus.IncomingCall, _ error: BusError) {
    outgoing?.yield(.refusal(call, error))
  }

  func set(_ path: String, _ interface: String, _ changes: BlueZObjects.Properties) {
    emit(objects.set(path, interface, changes))
  }

  /// Does something later or beside; all of it ends with `stop`.
  func errand(_ work: @escaping @Sendable (isolated StandInBlueZ) async throws -> Void) {
    lastErrand += 1
    let number = lastErrand
    errands[number] = Task { [weak self] in
      guard let self else { return }
      try? await work(self)
      await self.finished(number)
    }
  }

  private func finished(_ number: Int) { errands[number] = nil }
}
