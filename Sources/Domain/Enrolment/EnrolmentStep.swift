/// The five steps of an enrolment, in their only order (PD-176, invariants 1 and 2).
package enum EnrolmentStep: Int, Hashable, Comparable, Sendable, Codable, CaseIterable {
  case chooseSensor = 1
  case giveWiFi = 2
  case verifyWiFi = 3
  case receiveReading = 4
  case nameSensor = 5

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// Why a command was refused: the caller's mistake, and nothing has changed.
package enum NotAllowed: Error, Hashable, Sendable {
  /// A step was asked for that is not the current one: skipped ahead, or already validated.
  case outOfSequence(requested: EnrolmentStep, current: EnrolmentStep)
  /// The current step cannot be validated, or cannot be validated so, as it stands.
  case notYet(EnrolmentStep)
  /// Something is under way that must first end, within seconds.
  case inProgress
  case nothingToResume
  /// It is completed, cancelled or failed.
  case ended
}
