/// What is kept of an enrolment across a restart: how far it came, and no credential.
package struct EnrolmentProgress: Hashable, Sendable, Codable {
  /// The first step that is not validated; the fifth once all are.
  package var step: EnrolmentStep
  package var isCompleted: Bool
  package var peripheral: Peripheral?
  /// Whether credentials were written to the sensor in this enrolment.
  package var wroteWiFi: Bool
  /// The broker account made for it.
  package var account: String?
  /// Set before the first MQTT value goes out: from then on the sensor may hold the account.
  package var mayHoldAccount: Bool
  /// When the fourth MQTT value was acknowledged.
  package var deliveredAt: Timestamp?
  /// Why it ended before completion.
  package var failure: Fault?

  package init() {
    step = .chooseSensor
    isCompleted = false
    wroteWiFi = false
    mayHoldAccount = false
  }

  package var hasEnded: Bool { isCompleted || failure != nil }

  /// Whether such a progress can have come about.
  package var isConsistent: Bool {
    let validated = step.rawValue - 1
    return (validated < 1 || peripheral != nil)
      && (validated < 2 || wroteWiFi)
      && (validated < 4 || deliveredAt != nil)
      && (!mayHoldAccount || validated >= 3)
      && (deliveredAt == nil || mayHoldAccount)
      && (!isCompleted || (step == .nameSensor && failure == nil))
  }
}

/// One line of the append-only record of transitions (PD-176, invariant 7).
package struct EnrolmentAudit: Hashable, Sendable, Codable {
  package let at: Timestamp
  /// Who: the operator for a command, `sensor` or `gateway` for an event.
  package let actor: String
  /// State words, see `Enrolment.State.word`.
  package let from: String
  package let to: String
  /// The command or event, with its code when it has one.
  package let why: String
  /// The current step after the transition.
  package let step: EnrolmentStep

  package init(
    at: Timestamp, actor: String, from: String, to: String, why: String, step: EnrolmentStep
  ) {
    self.at = at
    self.actor = actor
    self.from = from
    self.to = to
    self.why = why
    self.step = step
  }
}
