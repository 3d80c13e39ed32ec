/// The broker accounts of sensors. A local broker's accounts are made and deleted by us; a site's
/// own broker has one fixed account and tells us less.
package protocol Accounts: Sendable {
  /// Whether accounts are ours to make, and the broker's log ours to read.
  var areManaged: Bool { get }

  /// Makes a new account `<CHIPID>-<n>` and proves it by logging in with it, over TLS, at the very
  /// address that the sensor will be given. On a site's broker: the fixed account, tried likewise.
  /// An account that exists is tried as it is and stays, whatever comes of it: a sensor may hold it.
  ///
  /// - Parameter password: the old account's password, for a sensor that is already known.
  func open(
    for sensor: SensorID, number: Int, password: Secret?
  ) async throws(Fault) -> MQTTCredentials

  /// Deletes an account; one that does not exist is not an error.
  func remove(_ user: String) async throws(Fault)

  /// What the broker's log says from now on; nothing on a site's broker. One reader per call.
  func log() async -> AsyncStream<BrokerEvent>
}

/// A line of the broker's log that matters to an enrolment.
package enum BrokerEvent: Hashable, Sendable {
  /// A TCP connection was opened from this address.
  case opened(ip: String)
  case tlsFailed(ip: String?, detail: String)
  case connected(ip: String, client: String, user: String?)
  /// The broker refused an account; most versions' log line bears neither address nor client.
  case refused(ip: String?, client: String?, detail: String)
  case closed(client: String?, ip: String?)
}
