import Domain

/// Tries four values as the sensor will, under a client id of our own, and publishes nothing: proves the
/// address, TLS and the account without disturbing a sensor that is live.
enum LoginProof {
  /// - Throws: what stands in the way, as `Client` names it.
  static func logIn(
    with values: MQTTCredentials, tls: TLSSettings, clock: any Clock<Duration>,
    now: @escaping WallClock
  ) async throws(Fault) {
    let settings = ClientSettings(
      host: values.host, port: values.port,
      clientID: "soundgate-proof-\(UInt32.random(in: .min ... .max))", user: values.user,
      password: values.password, tls: tls)
    let client = Client(settings, clock: clock, now: now)
    do throws(Fault) {
      try await client.connect()
    } catch {
      await client.stop()
      throw error
    }
    await client.stop()
  }
}
