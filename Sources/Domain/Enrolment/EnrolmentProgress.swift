/// What is kept of an enrolment across a restart: how far it came, and no credential.
package struct EnrolmentProgress: Hashable, Sendable, Codable {
  /// The first step that is not validated; the fifth once all are.
  package var step: EnrolmentStep
  package var isCompleted: Bool
  package var peripheral: Peripheral?
  /// Whether credentials were written to the sensor in this enrolment.
  package var wroteWiFi: Bool
  /// Where the sensor is on its network, as it said itself.
  package var ip: IPv4Address?
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
