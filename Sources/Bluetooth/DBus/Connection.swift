import Dispatch
import Host

extension DBus {
  /// One connection to one bus, with a queue of its own. Any number of tasks may call through it at
  /// once; replies are matched by serial, and one that comes after its deadline is dropped.
  ///
  /// When the bus goes away every call under way fails with `Disconnected` and every stream ends. A
  /// connection never comes back: its user opens a new one.
  package actor Connection {
    private nonisolated let executor = QueueExecutor(label: "soundgate.dbus")
    private let clock: any Clock<Duration>
    private var wire: Wire?
    private var reading: SocketWatch?
    private var writing: SocketWatch?
    private var pending: [UInt32: PendingCall] = [:]
    private var followers: [Int: Follower] = [:]
    private var lastFollower = 0
    private var callReader: AsyncStream<IncomingCall>.Continuation?

    /// Our name on the bus, `:1.42`.
    package private(set) var uniqueName = ""

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor.asUnownedSerialExecutor()
    }

    private struct PendingCall {
      let continuation: CheckedContinuation<Result<[Value], BusError>, Never>
      let timer: Task<Void, Never>
    }

    private init(clock: any Clock<Duration>) { self.clock = clock }

    deinit {
      for follower in followers.values { follower.continuation.finish() }
      callReader?.finish()
    }

    /// Connects and registers with the bus.
    ///
    /// - Parameters:
    ///   - address: as D-Bus writes it, `unix:path=/run/dbus/system_bus_socket`.
    ///   - clock: measures every deadline but that of the authentication, for which this blocks.
    /// - Throws: what libdbus says of the address or the socket; `TimedOut` when the bus does not
    ///   answer within `deadline`.
    package static func open(
      _ address: String, within deadline: Duration = .seconds(5),
      clock: any Clock<Duration> = ContinuousClock()
    ) async throws(BusError) -> Connection {
      let connection = Connection(clock: clock)
      do {
        try await connection.connect(address, within: deadline)
      } catch {
        await connection.close()
        throw error
      }
      return connection
    }

    private func connect(_ address: String, within deadline: Duration) async throws(BusError) {
      let wire = try Wire(address: address)
      try wire.authenticate(patience: deadline)
      guard let descriptor = wire.descriptor else { throw .standard(.disconnected) }
      self.wire = consume wire
      reading = try SocketWatch(.reading, of: descriptor, on: executor.queue) { [weak self] in
        self?.assumeIsolated { $0.turn() }
      }
      uniqueName = try await call(.bus("Hello"), within: deadline).first?.text ?? ""
    }

    /// Ends the connection: calls under way fail, streams end. Harmless when already closed.
    package func close() {
      reading = nil
      writing = nil
      wire = nil
      for call in pending.values {
        call.timer.cancel()
        call.continuation.resume(returning: .failure(.standard(.disconnected)))
      }
      pending = [:]
      for follower in followers.values { follower.continuation.finish() }
      followers = [:]
      callReader?.finish()
      callReader = nil
    }

    // MARK: Calling

    /// Calls a method and waits for the reply, at most until `deadline`.
    ///
    /// - Returns: the reply's values.
    /// - Throws: the callee's error; `TimedOut` at the deadline; `Disconnected`; `InvalidArgs` for a
    ///   call that D-Bus does not allow; `BusError.cancelled` when the calling task is cancelled.
    @discardableResult
    package func call(
      _ call: Call, within deadline: Duration = .seconds(25)
    ) async throws(BusError) -> [Value] {
      guard !Task.isCancelled else { throw .cancelled }
      let serial = try send(Message.call(call))
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          pending[serial] = PendingCall(
            continuation: continuation, timer: timer(for: serial, of: call, deadline))
        }
      } onCancel: {
        executor.queue.async { self.assumeIsolated { $0.settle(serial, .failure(.cancelled)) } }
      }
      return try result.get()
    }

    private func timer(
      for serial: UInt32, of call: Call, _ deadline: Duration
    ) -> Task<Void, Never> {
      Task { [weak self, clock] in
        guard (try? await clock.sleep(for: deadline)) != nil else { return }
        let late = BusError.standard(.timedOut, "\(call.member) took longer than \(deadline)")
        await self?.settle(serial, .failure(late))
      }
    }

    private func settle(_ serial: UInt32, _ result: Result<[Value], BusError>) {
      guard let call = pending.removeValue(forKey: serial) else { return }
      call.timer.cancel()
      call.continuation.resume(returning: result)
    }

    // MARK: Following a service

    /// Everything a service says, from now on, and who owns its name. Each reader has a stream of
    /// its own, unbounded and in the order of the bus; the first event is the present owner.
    ///
    /// Signals are taken only from the owner: anybody may send us one that looks right.
    package func follow(_ service: String) async throws(BusError) -> AsyncStream<ServiceEvent> {
      guard DBus.isBusName(service) else { throw .invalid("bus name") }
      lastFollower += 1
      let id = lastFollower
      let (stream, continuation) = AsyncStream.makeStream(of: ServiceEvent.self)
      continuation.onTermination = { [weak self] _ in
        guard let self else { return }
        executor.queue.async { self.assumeIsolated { $0.unfollow(id) } }
      }
      followers[id] = Follower(service: service, continuation: continuation)
      for rule in Follower.rules(for: service) {
        try await call(.bus("AddMatch", [.string(rule)]))
      }
      let owner = try await owner(of: service)
      followers[id]?.begin(owner: owner)
      return stream
    }

    /// Puts a mark into every reader's stream, behind all that has come in so far: whoever reads it
    /// has seen every signal that came before the replies received until now.
    nonisolated func mark(_ number: Int) {
      executor.queue.async {
        self.assumeIsolated { connection in
          for follower in connection.followers.values {
            follower.continuation.yield(.mark(number))
          }
        }
      }
    }

    private func owner(of service: String) async throws(BusError) -> String? {
      do {
        return try await call(.bus("GetNameOwner", [.string(service)])).first?.text
      } catch {
        if error.standard == .nameHasNoOwner { return nil }
        throw error
      }
    }

    private func unfollow(_ id: Int) {
      guard let follower = followers.removeValue(forKey: id) else { return }
      for rule in Follower.rules(for: follower.service) {
        post(.bus("RemoveMatch", [.string(rule)]))
      }
    }

    /// Sends a call whose reply nobody needs; it is dropped like any late reply.
    private func post(_ call: Call) {
      _ = try? send(Message.call(call))
    }

    // MARK: Being a service

    /// Takes a name on the bus.
    ///
    /// - Throws: `Failed` when somebody else has it; `AccessDenied`.
    package func own(_ name: String) async throws(BusError) {
      let doNotQueue: UInt32 = 4
      let primaryOwner = 1
      let reply = try await call(.bus("RequestName", [.string(name), .uint32(doNotQueue)]))
      guard reply.first?.integer == primaryOwner else {
        throw .standard(.failed, "\(name) is taken")
      }
    }

    package func release(_ name: String) async throws(BusError) {
      try await call(.bus("ReleaseName", [.string(name)]))
    }

    /// The method calls that reach us, in order; one reader, who answers each with `answer` or
    /// `refuse` whenever it likes, or never. Without a reader every call is refused.
    package func incomingCalls() -> AsyncStream<IncomingCall> {
      let (stream, continuation) = AsyncStream.makeStream(of: IncomingCall.self)
      callReader?.finish()
      callReader = continuation
      return stream
    }

    package func answer(_ call: IncomingCall, _ body: [Value] = []) throws(BusError) {
      guard call.expectsReply else { return }
      _ = try send(Message.answer(to: call, body))
    }

    package func refuse(_ call: IncomingCall, _ error: BusError) throws(BusError) {
      guard call.expectsReply else { return }
      _ = try send(Message.refusal(of: call, error))
    }

    package func emit(_ signal: Signal) throws(BusError) {
      _ = try send(Message.signal(signal))
    }

    // MARK: The socket

    private func send(_ message: borrowing Message) throws(BusError) -> UInt32 {
      guard let serial = try wire?.send(message) else { throw .standard(.disconnected) }
      watchForRoom()
      return serial
    }

    /// The socket may be full: then the rest goes out when there is room again.
    private func watchForRoom() {
      guard wire?.hasUnsent == true, let descriptor = wire?.descriptor else {
        writing = nil
        return
      }
      guard writing == nil else { return }
      writing = try? SocketWatch(.writing, of: descriptor, on: executor.queue) { [weak self] in
        self?.assumeIsolated { $0.turn() }
      }
    }

    private func turn() {
      wire?.exchange()
      while let content = wire?.next() { take(content) }
      watchForRoom()
    }

    private func take(_ content: Message.Content) {
      switch content {
      case .reply(let serial, let result): settle(serial, result)
      case .signal(let signal):
        for id in followers.keys { followers[id]?.take(signal) }
      case .call(let call):
        if case .enqueued = callReader?.yield(call) { return }
        try? refuse(call, .standard(.unknownMethod, "nothing is served here"))
      case .disconnected: close()
      case .unreadable: return
      }
    }
  }
}
