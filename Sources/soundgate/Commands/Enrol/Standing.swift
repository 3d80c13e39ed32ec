import Synchronization
import Web

/// Where an enrolment stands, known to whoever interrupts.
final class Standing: Sendable {
  private let latest: Mutex<(view: API.Enrolment, isLeft: Bool)>

  init(_ view: API.Enrolment) { latest = Mutex((view, false)) }

  var view: API.Enrolment {
    get { latest.withLock { $0.view } }
    set { latest.withLock { $0.view = newValue } }
  }

  /// True for the first who asks: how to go on is told once, whatever ends the command.
  func leave() -> Bool {
    latest.withLock { state in
      defer { state.isLeft = true }
      return !state.isLeft
    }
  }
}
