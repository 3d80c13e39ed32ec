import Domain

/// The one account that a site's own broker gives us for its sensors.
package struct SiteAccounts: Accounts {
  package var areManaged: Bool { false }

  private let values: MQTTCredentials
  private let clock: any Clock<Duration>
  private let now: WallClock

  /// - Parameter values: what every sensor is given.
  package init(
    _ values: MQTTCredentials, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping WallClock
  ) {
    self.values = values
    self.clock = clock
    self.now = now
  }

  /// The fixed account, tried as a sensor would: no certificate is checked at an IPv4 literal, else it
  /// must chain to a public authority.
  package func open(
    for sensor: SensorID, number: Int, password: Secret?
  ) async throws(Fault) -> MQTTCredentials {
    let isLiteral = IPv4Address(values.host) != nil
    try await LoginProof.logIn(
      with: values, tls: isLiteral ? .anyCertificate : .systemAuthorities, clock: clock, now: now)
    return values
  }

  package func remove(_ user: String) async throws(Fault) {}

  package func log() async -> AsyncStream<BrokerEvent> { AsyncStream { $0.finish() } }
}
