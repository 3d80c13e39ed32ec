import Domain

/// A broker connection in memory, with a persistent session: what was handed over and not
/// acknowledged is delivered again after a reconnect.
package actor FakeBroker: Broker {
  /// Where the reader's call can be held up, as if the process had been killed there.
  package enum Moment: Hashable, Sendable {
    case pause
    case acknowledge
  }

  private var untaken: [Delivery] = []
  /// Sent by the broker while nobody read the socket.
  private var unread: [Delivery] = []
  private var handedOver: [Delivery] = []
  private var isPaused = false
  private var reader: CheckedContinuation<Void, Never>?
  private var acknowledgements = 0
  private var acknowledgementWaiters: [(count: Int, CheckedContinuation<Void, Never>)] = []
  private var heldMoment: Moment?
  private var held: [CheckedContinuation<Void, Never>] = []
  private var heldWaiters: [CheckedContinuation<Void, Never>] = []
  private var isDown = false
  /// What was published through this connection.
  package private(set) var published: [(topic: String, payload: [UInt8], isRetained: Bool)] = []

  package init() {}

  /// A connection after a restart of its reader: begins with what the old one did not acknowledge.
  package init(after old: FakeBroker, at time: Timestamp) async {
    untaken = [.connected(sessionPresent: true, at: time)]
    untaken += await old.unacknowledged.map { $0.redelivered(at: time) }
  }

  private var unacknowledged: [Delivery] {
    (handedOver + untaken + unread).filter(\.isMessage)
  }

  // MARK: The broker's side

  package func deliver(_ deliveries: Delivery...) {
    deliver(deliveries)
  }

  package func deliver(_ deliveries: [Delivery]) {
    if isPaused {
      unread += deliveries
    } else {
      untaken += deliveries
      wake()
    }
  }

  /// Loses the connection, with the acknowledgements that were under way.
  package func disconnect(_ fault: Fault = Fault(.brokerUnreachable)) {
    let lost = unacknowledged
    handedOver = []
    untaken = [.disconnected(fault)]
    unread = lost
    isDown = true
    wake()
  }

  /// Delivers first what was not acknowledged, then what was sent meanwhile.
  package func reconnect(
    sessionPresent: Bool = true, at time: Timestamp, queued: [Delivery] = []
  ) {
    let redelivered = unread.map { $0.redelivered(at: time) }
    unread = []
    isDown = false
    deliver([.connected(sessionPresent: sessionPresent, at: time)] + redelivered + queued)
  }

  /// Returns once so many messages have been acknowledged in all.
  package func acknowledged(_ count: Int) async {
    guard acknowledgements < count else { return }
    await withCheckedContinuation { acknowledgementWaiters.append((count, $0)) }
  }

  package var acknowledgedCount: Int { acknowledgements }

  /// From now on the reader does not come back from this call.
  package func hold(at moment: Moment) { heldMoment = moment }

  /// Returns once the reader is held up.
  package func isHolding() async {
    guard held.isEmpty else { return }
    await withCheckedContinuation { heldWaiters.append($0) }
  }

  package func release() {
    heldMoment = nil
    for continuation in held { continuation.resume() }
    held = []
  }

  private func pass(_ moment: Moment) async {
    guard heldMoment == moment else { return }
    await withCheckedContinuation { continuation in
      held.append(continuation)
      for waiter in heldWaiters { waiter.resume() }
      heldWaiters = []
    }
  }

  private func wake() {
    reader?.resume()
    reader = nil
  }

  // MARK: The reader's side

  package func take() async -> [Delivery] {
    if untaken.isEmpty {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          if Task.isCancelled { continuation.resume() } else { reader = continuation }
        }
      } onCancel: {
        Task { await self.wake() }
      }
    }
    return handOver()
  }

  package func pause() async -> [Delivery] {
    await pass(.pause)
    isPaused = true
    return handOver()
  }

  package func acknowledge() async {
    await pass(.acknowledge)
    if !isDown { acknowledgements += handedOver.count(where: \.isMessage) }
    handedOver = []
    isPaused = false
    let due = acknowledgementWaiters.filter { $0.count <= acknowledgements }
    acknowledgementWaiters.removeAll { $0.count <= acknowledgements }
    for (_, continuation) in due { continuation.resume() }
    guard !unread.isEmpty, !isDown else { return }
    untaken += unread
    unread = []
    wake()
  }

  private func handOver() -> [Delivery] {
    handedOver += untaken
    defer { untaken = [] }
    return untaken
  }

  package func publish(
    _ payload: [UInt8], to topic: String, retained: Bool
  ) async throws(Fault) {
    guard !isDown else { throw Fault(.brokerUnreachable) }
    published.append((topic, payload, retained))
  }

  package func condition() async -> BrokerCondition {
    isDown
      ? .down(Fault(.brokerUnreachable), since: Timestamp(seconds: 0))
      : .connected(since: Timestamp(seconds: 0))
  }
}

extension Delivery {
  fileprivate var isMessage: Bool {
    switch self {
    case .message, .oversized: true
    case .connected, .disconnected: false
    }
  }

  fileprivate func redelivered(at time: Timestamp) -> Delivery {
    guard case .message(let message) = self else { return self }
    return .message(
      BrokerMessage(
        topic: message.topic, payload: message.payload, qos: message.qos,
        isRetained: message.isRetained, arrivedAt: time))
  }
}
