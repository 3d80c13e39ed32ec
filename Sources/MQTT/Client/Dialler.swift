import Domain
import Host

/// Begins connections away from the client's own queue, because looking up a name blocks.
actor Dialler {
  private let executor: QueueExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(label: String) { executor = QueueExecutor(label: label) }

  /// A connection begun, or the reason why not.
  struct Dialled: ~Copyable {
    let session: Session
    let fault: Fault?
  }

  func dial(
    _ settings: ClientSettings, now: @escaping WallClock
  ) throws(Fault) -> sending Dialled {
    let session = try Session.new(settings, now: now)
    let fault = session.dial(settings)
    return Dialled(session: session, fault: fault)
  }
}
