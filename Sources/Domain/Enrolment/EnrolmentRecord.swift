import FoundationEssentials

/// An enrolment as it is kept: enough to show it, to resume it, and to count it.
package struct EnrolmentRecord: Hashable, Sendable, Identifiable {
  package let id: UUID
  /// The login name of the person who enrols.
  package let operatorName: String
  /// Nil until a sensor was chosen.
  package var sensor: SensorID?
  package var address: BluetoothAddress?
  /// The first step not yet validated, 1…5; 5 when completed.
  package var step: Int
  package var isCompleted: Bool
  /// Why it ended without being completed; nil while it goes on.
  package var ended: Code?
  /// The broker account made for it.
  package var account: String?
  /// What the enrolment remembers for a resumption, as JSON; never a credential.
  package var progress: String
  package let createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(
    id: UUID, operatorName: String, sensor: SensorID? = nil, address: BluetoothAddress? = nil,
    step: Int = 1, isCompleted: Bool = false, ended: Code? = nil, account: String? = nil,
    progress: String = "{}", createdAt: Timestamp, updatedAt: Timestamp
  ) {
    self.id = id
    self.operatorName = operatorName
    self.sensor = sensor
    self.address = address
    self.step = step
    self.isCompleted = isCompleted
    self.ended = ended
    self.account = account
    self.progress = progress
    self.createdAt = createdAt
    self.updatedAt = updatedAt
  }

  /// Whether it may still go on.
  package var isUnfinished: Bool { !isCompleted && ended == nil }
}
