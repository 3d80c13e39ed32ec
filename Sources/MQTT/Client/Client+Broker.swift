import Domain

extension Client {
  package func take() async -> [Delivery] {
    while untaken.isEmpty, !Task.isCancelled {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          if Task.isCancelled { continuation.resume() } else { reader = continuation }
        }
      } onCancel: {
        enter { $0.wakeReader() }
      }
    }
    let taken = handOver()
    readOn()
    return taken
  }

  package func pause() async -> [Delivery] {
    isPaused = true
    if owed > 0 { setTimer(.commit, after: settings.deadlines.keepAlive / 2) }
    readOn()
    return handOver()
  }

  package func acknowledge() async {
    isPaused = false
    // One write sends every acknowledgement, so none goes while one of them is not the reader's.
    owed = untaken.count { $0.isOwed }
    if owed == 0 {
      cancelTimer(.commit)
      if stage == .opening(hasTCP: true, isWelcome: true) {
        setTimer(.opening, after: settings.deadlines.opening)
      }
    }
    issueWaitingRequests()
    flush()
    unpaused?.resume()
    unpaused = nil
  }

  package func condition() async -> BrokerCondition { standing }

  func wakeReader() {
    reader?.resume()
    reader = nil
  }

  private func handOver() -> [Delivery] {
    defer { untaken = [] }
    return untaken
  }

  /// Waits until no commit is under way: what it holds belongs to the connection before.
  func commitEnded() async {
    guard isPaused else { return }
    await withCheckedContinuation { unpaused = $0 }
  }
}

extension Delivery {
  /// Whether the broker waits for an acknowledgement of it.
  fileprivate var isOwed: Bool {
    switch self {
    case .message(let message): message.qos > 0
    case .oversized: true
    case .connected, .disconnected: false
    }
  }
}
