/// A broker account made for a sensor, `<CHIPID>-<n>`.
package struct AccountRecord: Hashable, Sendable {
  package let user: String
  package let sensor: SensorID
  /// Counts the sensor's accounts from 1; no number is used twice.
  package let number: Int
  /// The password, sealed; nil once the account is removed.
  package var sealedPassword: [UInt8]?
  package var state: State
  package let createdAt: Timestamp

  /// How far an account has come, in this order.
  package enum State: String, Hashable, Sendable, Codable, CaseIterable {
    /// Made at the broker; no sensor can know it yet.
    case opened
    /// Written to the sensor, in part at least: it may hold it.
    case written
    /// A reading came in under it.
    case proven
    /// Deleted at the broker; kept so that its number is not used again.
    case removed
  }

  package init(
    user: String, sensor: SensorID, number: Int, sealedPassword: [UInt8]?, state: State = .opened,
    createdAt: Timestamp
  ) {
    self.user = user
    self.sensor = sensor
    self.number = number
    self.sealedPassword = sealedPassword
    self.state = state
    self.createdAt = createdAt
  }
}
