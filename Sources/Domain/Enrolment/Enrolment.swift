/// One sensor's way from unknown to registered, in five steps (PD-176): a value that is told what
/// the person wants and what the world does, and answers what is to be done.
///
/// A command out of turn is refused, an event out of turn is ignored. Events make a step
/// validatable; only a command validates it. A complaint leads back to where it can be put right, a
/// failure ends the enrolment.
package struct Enrolment: Hashable, Sendable {
  package let deadlines: EnrolmentDeadlines
  package internal(set) var progress: EnrolmentProgress
  package internal(set) var state: State

  /// A new one, which begins by looking for sensors.
  package init(deadlines: EnrolmentDeadlines = EnrolmentDeadlines()) {
    self.deadlines = deadlines
    progress = EnrolmentProgress()
    state = .scanning(complaint: nil)
  }

  /// One that a restart interrupted: it stands at its first step that is not validated.
  package init(resuming progress: EnrolmentProgress, deadlines: EnrolmentDeadlines) {
    self.deadlines = deadlines
    self.progress = progress
    state =
      if let failure = progress.failure {
        .failed(failure)
      } else if progress.isCompleted {
        .completed
      } else {
        switch progress.step {
        case .chooseSensor: .scanning(complaint: nil)
        case .giveWiFi, .verifyWiFi: .parked(complaint: nil)
        case .receiveReading:
          progress.deliveredAt == nil ? .parked(complaint: nil) : .awaitingReading(complaint: nil)
        case .nameSensor: .awaitingName
        }
      }
  }

  /// The first step that is not validated; the fifth once all are.
  package var step: EnrolmentStep { progress.step }

  /// What is to be done; credentials go through here and are kept nowhere.
  package enum Effect: Hashable, Sendable {
    case scan
    case connect(Peripheral)
    case writeWiFi(WiFiCredentials)
    /// The network proved good: it may be offered next time.
    case saveNetwork
    /// Make (or take up again) this sensor's account and prove it.
    case openAccount
    case writeMQTT
    /// The sensor speaks under the new account: it is the sensor's, older ones go.
    case keepAccount
    case deleteAccount(String)
    case register(SensorName)
    case disconnect(after: Duration)
    /// Replaces the deadline before it.
    case setDeadline(Deadline, Duration)
    case clearDeadline
  }

  /// What time may run out of; one runs at a time.
  package enum Deadline: String, Hashable, Sendable, Codable {
    case scan
    case connect
    case wifi
    case firstReading = "first-reading"
    case attention
    case parked
  }

  /// What is to be done first: the deadline of the state it begins in, and what goes with it.
  package func begin() -> [Effect] {
    switch state {
    case .scanning: [.scan] + timing
    default: timing
    }
  }

  /// Enters a state: its deadline replaces the one before.
  mutating func go(to next: State, _ effects: [Effect] = []) -> [Effect] {
    state = next
    return effects + timing
  }

  /// Ends it. An account the sensor cannot hold yet goes with it.
  mutating func fail(_ fault: Fault) -> [Effect] {
    var effects: [Effect] = state.usesLink ? [.disconnect(after: .zero)] : []
    if let account = progress.account, !progress.mayHoldAccount {
      effects.append(.deleteAccount(account))
    }
    progress.failure = fault
    return go(to: .failed(fault), effects)
  }

  private var timing: [Effect] {
    switch state {
    case .scanning(complaint: nil): [.setDeadline(.scan, deadlines.scan)]
    case .connecting: [.setDeadline(.connect, deadlines.link.total + deadlines.link.services)]
    case .joiningWiFi(let verdict):
      verdict.wait.map { [.setDeadline(.wifi, $0)] } ?? [.clearDeadline]
    case .awaitingReading(complaint: nil):
      [.setDeadline(.firstReading, deadlines.firstReading)]
    case .awaitingWiFi, .joined, .awaitingAccount:
      [.setDeadline(.attention, deadlines.attention)]
    case .scanning, .parked, .awaitingReading, .heard, .awaitingName:
      [.setDeadline(.parked, deadlines.parked)]
    case .writingWiFi, .openingAccount, .writingMQTT, .completed, .failed: [.clearDeadline]
    }
  }
}
