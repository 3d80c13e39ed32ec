import Domain

/// Something asked of the broker whose acknowledgement somebody waits for.
enum Request {
  case publish([UInt8], topic: String, qos: Int, retained: Bool)
  case subscribe(Subscription)
}

struct PendingRequest {
  let request: Request
  let continuation: CheckedContinuation<Result<Void, Fault>, Never>
  let deadline: Task<Void, Never>
  /// Nil until libmosquitto was given it.
  var packet: Int32?
}

extension Client {
  package func publish(
    _ payload: [UInt8], to topic: String, retained: Bool
  ) async throws(Fault) {
    try await publish(payload, to: topic, qos: 1, retained: retained)
  }

  /// Publishes; at QoS 1 waits for the broker's acknowledgement, at QoS 0 until it is written.
  package func publish(
    _ payload: [UInt8], to topic: String, qos: Int, retained: Bool
  ) async throws(Fault) {
    try await request(.publish(payload, topic: topic, qos: qos, retained: retained))
  }

  /// Subscribes on this connection alone, and waits for the broker's grant.
  package func subscribe(_ subscription: Subscription) async throws(Fault) {
    try await request(.subscribe(subscription))
  }

  /// libmosquitto would keep what it is given while disconnected and send it some day; so it is asked
  /// only while connected, and given nothing that could not leave at once.
  ///
  /// - Parameter deadline: nil is the settings' own.
  func request(_ request: Request, within deadline: Duration? = nil) async throws(Fault) {
    guard stage == .connected else { throw Fault(.publishFailed, "not connected to the broker") }
    lastRequest += 1
    let number = lastRequest
    let limit = deadline ?? settings.deadlines.request
    let outcome: Result<Void, Fault> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else {
          return continuation.resume(returning: .failure(Fault(.cancelled)))
        }
        let deadline = Task {
          try? await clock.sleep(for: limit)
          if !Task.isCancelled {
            finish(number, .failure(Fault(.publishFailed, "no acknowledgement within \(limit)")))
          }
        }
        requests[number] = PendingRequest(
          request: request, continuation: continuation, deadline: deadline)
        issueWaitingRequests()
        flush()
      }
    } onCancel: {
      enter { $0.finish(number, .failure(Fault(.cancelled))) }
    }
    try outcome.get()
  }

  func issueWaitingRequests() {
    guard owed == 0, stage == .connected else { return }
    for number in requests.keys.sorted() where requests[number]?.packet == nil {
      guard let request = requests[number]?.request else { continue }
      do {
        requests[number]?.packet = try issue(request)
      } catch {
        finish(number, .failure(error))
      }
    }
  }

  private func issue(_ request: Request) throws(Fault) -> Int32? {
    switch request {
    case .publish(let payload, let topic, let qos, let retained):
      try session?.publish(payload, to: topic, qos: qos, retained: retained)
    case .subscribe(let subscription):
      try session?.subscribe(subscription)
    }
  }

  func finish(packet: Int32, _ outcome: Result<Void, Fault>) {
    guard let number = requests.first(where: { $0.value.packet == packet })?.key else { return }
    finish(number, outcome)
  }

  private func finish(_ number: Int, _ outcome: Result<Void, Fault>) {
    guard let request = requests.removeValue(forKey: number) else { return }
    request.deadline.cancel()
    request.continuation.resume(returning: outcome)
  }

  func failRequests(_ fault: Fault) {
    for number in requests.keys { finish(number, .failure(fault)) }
  }
}
