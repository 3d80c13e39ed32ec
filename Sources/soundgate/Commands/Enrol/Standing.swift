import Synchronization
import Web

/// Where an enrolment stands, known to whoever interrupts.
final class Standing: Sendable {
  private let latest: Mutex<API.Enrolment>

  init(_ view: API.Enrolment) { latest = Mutex(view) }

  var view: API.Enrolment {
    get { latest.withLock { $0 } }
    set { latest.withLock { $0 = newValue } }
  }
}
