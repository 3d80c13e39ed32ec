/// What makes a stored reading the proof that a sensor lives under its new account, and who is to
/// blame when none comes.
///
/// A reading counts when it came after the broker told us of the sensor's login with the new account.
/// Where the broker's log is not ours, or part of it was missed, one counts that came long enough
/// after the fourth MQTT value: the session before it is then gone.
package struct FirstReadingProof: Hashable, Sendable {
  private let deliveredAt: Timestamp
  private let settling: Duration
  private var verdict: BrokerVerdict
  private var followsLog: Bool
  private var connectedAt: Timestamp?

  /// - Parameters:
  ///   - verdict: has been told of the broker's log since before the values were written.
  ///   - followsLog: whether that log is ours to read and complete.
  package init(
    deliveredAt: Timestamp, settling: Duration, verdict: BrokerVerdict, followsLog: Bool
  ) {
    self.deliveredAt = deliveredAt
    self.settling = settling
    self.verdict = verdict
    self.followsLog = followsLog
    if verdict.isConnected { connectedAt = deliveredAt }
  }

  package mutating func observe(_ event: BrokerEvent, at time: Timestamp) {
    verdict.observe(event)
    if verdict.isConnected, connectedAt == nil { connectedAt = time }
  }

  /// The broker's log has ended.
  package mutating func loseLog() { followsLog = false }

  package func isGiven(by reading: Reading) -> Bool {
    guard reading.isDated, reading.at > deliveredAt else { return false }
    if let connectedAt { return reading.at >= connectedAt }
    return !followsLog && reading.at > deliveredAt + settling
  }

  /// Which leg broke, as far as the broker's log tells.
  package var blame: Fault { followsLog ? verdict.fault : Fault(.noFirstReading) }
}
