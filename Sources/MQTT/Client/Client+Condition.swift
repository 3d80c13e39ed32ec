import Domain
import Host

extension Client {
  /// The standing of the connection from now on, the present one first. A connection is told again
  /// when it has lasted.
  package func conditions() -> AsyncStream<BrokerCondition> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: BrokerCondition.self, bufferingPolicy: .bufferingNewest(64))
    lastListener += 1
    let number = lastListener
    continuation.yield(standing)
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      self?.enter { $0.listeners[number] = nil }
    }
    return stream
  }

  private func stand(_ condition: BrokerCondition) {
    standing = condition
    for listener in listeners.values { listener.yield(condition) }
  }

  func reportConnected() {
    if shortLived == 0 { tellConnected() }
    stand(.connected(since: now()))
    tellFirstOutcome(.success(()))
  }

  /// The connection has lasted: the next failure is a first one.
  func becameStable() {
    if shortLived > 0 { tellConnected() }
    shortLived = 0
    isStable = true
    backoff?.reset()
    stand(standing)
  }

  private func tellConnected() {
    if settings.isLogged {
      log.notice("connected to the broker", ["host": settings.host])
    }
    lastReported = nil
  }

  /// Says each cause once; the condition keeps the time at which its cause began.
  func report(_ fault: Fault) {
    if fault != lastReported, settings.isLogged {
      log.warning("no connection to the broker", ["host": settings.host, "fault": fault])
    }
    lastReported = fault
    if case .down(let known, let since) = standing, known.code == fault.code {
      stand(.down(fault, since: since))
    } else {
      stand(.down(fault, since: now()))
    }
  }

  /// Why a connection that came about ended. MQTT 3.1.1 has no word for "another took your place": it
  /// shows in connections that come about and are closed at once, again and again.
  func diagnosed(_ fault: Fault) -> Fault {
    guard stage == .connected else { return fault }
    // OpenSSL complains of a connection that was cut; TLS itself had come about.
    let fault = fault.code == .brokerTLS ? Fault(.brokerUnreachable, fault.detail) : fault
    guard !isStable else { return fault }
    shortLived += 1
    guard shortLived > 1, fault.code == .brokerUnreachable else { return fault }
    return Fault(
      .clientClash,
      "\(shortLived) connections in a row were closed at once; another client may use the id "
        + settings.clientID)
  }

  func tellFirstOutcome(_ outcome: Result<Void, Fault>) {
    for continuation in firstOutcome { continuation.resume(returning: outcome) }
    firstOutcome = []
  }
}
