import FoundationEssentials

/// One transition of an enrolment: who, when, from, to, why. Written once, never changed.
package struct AuditEntry: Hashable, Sendable, Codable {
  package let enrolment: UUID
  package let at: Timestamp
  /// The login name of who caused it; the daemon's own name for an event.
  package let operatorName: String
  /// The state left; nil for the first entry.
  package let from: String?
  package let to: String
  package let why: String
  /// The step in which it happened, 1…5.
  package let step: Int

  package init(
    enrolment: UUID, at: Timestamp, operatorName: String, from: String?, to: String, why: String,
    step: Int
  ) {
    self.enrolment = enrolment
    self.at = at
    self.operatorName = operatorName
    self.from = from
    self.to = to
    self.why = why
    self.step = step
  }
}
