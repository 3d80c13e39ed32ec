import Domain
import Host

extension Client {
  /// Watches the socket of a connection just begun; false when there is no descriptor left.
  func watch(_ socket: Int32) -> Bool {
    watch = SocketWatch(
      socket, on: executor.queue,
      readable: { [weak self] in self?.assumeIsolated { $0.readWhatIsThere() } },
      writable: { [weak self] in self?.assumeIsolated { $0.writeNow() } })
    // The first thing that a socket tells is that the connection came about.
    watch?.isWriting = true
    return watch != nil
  }

  private func writeNow() {
    if case .opening(hasTCP: false, _) = stage {
      guard let watch else { return }
      let error = watch.pendingError
      guard error == 0 else { return end(Fault(.brokerUnreachable, systemMessage(error))) }
      // OpenSSL's first try on the socket has taken the error that told why.
      guard watch.isConnected else {
        return end(Fault(.brokerUnreachable, "no connection came about"))
      }
      stage = .opening(hasTCP: true, isWelcome: false)
      watch.isReading = true
      if let fault = session?.read() ?? faultOfSilentEnd { return end(fault) }
    }
    flush()
  }

  /// Reads until the socket is empty, the reader pauses, or enough waits for it. After so many
  /// packets it lets others on the queue have their turn, and is called again.
  private func readWhatIsThere() {
    for _ in 0..<256 {
      let fault = session?.read() ?? faultOfSilentEnd
      absorb()
      if let fault { return end(fault) }
      // Our subscriptions must leave before the first of the messages that the broker kept for us is
      // read, or they wait for its acknowledgement.
      if stage != .connected { flush() }
      guard mayRead, watch?.hasInput == true else { break }
    }
    flush()
    wakeReader()
  }

  /// libmosquitto takes a connection that ends during the TLS handshake for one that is still coming,
  /// for ever.
  private var faultOfSilentEnd: Fault? {
    guard case .opening(_, isWelcome: false) = stage, watch?.isClosedByPeer == true else {
      return nil
    }
    return Fault(.brokerUnreachable, "the broker closed the connection")
  }

  /// The only writer. It sends all that libmosquitto has queued, acknowledgements first, so it waits
  /// until nothing delivered is unacknowledged.
  func flush() {
    adjustWatch()
    guard owed == 0, stage != .idle else { return }
    if let fault = session?.write() { return end(fault) }
    absorb()
    adjustWatch()
  }

  /// How many deliveries may wait for the reader before the socket is left alone.
  private static let enough = 1000

  private var mayRead: Bool {
    switch stage {
    case .idle: false
    case .opening(let hasTCP, _): hasTCP
    case .connected: !isPaused && untaken.count < Self.enough
    }
  }

  private func adjustWatch() {
    guard let watch else { return }
    watch.isReading = mayRead
    watch.isWriting =
      stage == .opening(hasTCP: false, isWelcome: false)
      || owed == 0 && session?.wantsToWrite == true
  }

  func readOn() { adjustWatch() }

  private func absorb() {
    for event in session?.takeEvents() ?? [] {
      switch event {
      case .answered(let code, let sessionPresent):
        if let fault = Session.fault(forAnswer: code) { return end(fault) }
        welcome(sessionPresent: sessionPresent)
      case .message(let message):
        deliver(.message(message), qos: message.qos)
      case .oversized(let topic, let bytes, let qos):
        deliver(.oversized(topic: topic, bytes: bytes), qos: qos)
      case .published(let id):
        finish(packet: id, .success(()))
      case .subscribed(let id, let isGranted):
        subscribed(id, isGranted: isGranted)
      }
    }
  }

  private func deliver(_ delivery: Delivery, qos: Int) {
    untaken.append(delivery)
    guard qos > 0 else { return }
    if owed == 0 { setTimer(.commit, after: settings.deadlines.keepAlive) }
    owed += 1
    // What is left of the opening cannot be written before the reader's acknowledgement.
    cancelTimer(.opening)
  }

  private func welcome(sessionPresent: Bool) {
    stage = .opening(hasTCP: true, isWelcome: true)
    untaken.append(.connected(sessionPresent: sessionPresent, at: now()))
    do {
      // Whatever the broker remembers: after its store was lost it remembers nothing, and says so
      // only sometimes.
      for subscription in settings.subscriptions {
        if let id = try session?.subscribe(subscription) { ungranted[id] = subscription }
      }
      if let presence = settings.presence, presence.isSpoken {
        _ = try session?.publish(
          Array(presence.online.utf8), to: presence.topic, qos: presence.qos, retained: true)
      }
    } catch {
      return end(error)
    }
    becomeConnectedIfGranted()
  }

  private func subscribed(_ id: Int32, isGranted: Bool) {
    guard let subscription = ungranted.removeValue(forKey: id) else {
      let refusal = Fault(.subscriptionRefused, "the broker refused the subscription")
      return finish(packet: id, isGranted ? .success(()) : .failure(refusal))
    }
    guard isGranted else {
      return end(Fault(.subscriptionRefused, "the broker refused \(subscription.filter)"))
    }
    becomeConnectedIfGranted()
  }

  private func becomeConnectedIfGranted() {
    guard ungranted.isEmpty, stage == .opening(hasTCP: true, isWelcome: true) else { return }
    stage = .connected
    cancelTimer(.opening)
    setTimer(.stable, after: settings.deadlines.stable)
    setTimer(.keepAlive, after: settings.deadlines.keepAlive / 4)
    reportConnected()
  }

  /// Forgets the connection and everything that hung on it; answers the fault made more precise.
  func closed(_ fault: Fault) -> Fault {
    let fault = diagnosed(fault)
    let wasWelcome = stage == .connected || stage == .opening(hasTCP: true, isWelcome: true)
    stage = .idle
    isStable = false
    watch = nil
    session = nil
    ungranted = [:]
    owed = 0
    for timer in timers.keys { cancelTimer(timer) }
    failRequests(fault)
    if wasWelcome {
      untaken.append(.disconnected(fault))
      wakeReader()
    }
    return fault
  }

  // MARK: - Timers

  func setTimer(_ timer: Timer, after delay: Duration) {
    cancelTimer(timer)
    timers[timer] = Task {
      try? await clock.sleep(for: delay)
      if !Task.isCancelled { expired(timer) }
    }
  }

  func cancelTimer(_ timer: Timer) { timers.removeValue(forKey: timer)?.cancel() }

  private func expired(_ timer: Timer) {
    switch timer {
    case .opening:
      end(openingTimeout)
    case .stable:
      becameStable()
    case .commit:
      end(Fault(.storeBusy, "a commit took too long; what it held will be delivered again"))
    case .keepAlive:
      setTimer(.keepAlive, after: settings.deadlines.keepAlive / 4)
      // A ping queued behind acknowledgements would not leave, and its answer be missed.
      guard owed == 0 else { return }
      if let fault = session?.keepAlive() { return end(fault) }
      flush()
    }
  }
}
