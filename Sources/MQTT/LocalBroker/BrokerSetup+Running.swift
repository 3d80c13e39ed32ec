import Domain
import Glibc
import Host

/// What a set-up does with the broker before and after its start.
extension BrokerSetup {
  /// - Throws: `SG-MQTT-320` when somebody other than our broker listens on its port, naming them.
  package func checkPort() throws(Fault) {
    guard let owner = PortOwner.listening(on: broker.port, at: broker.listenAddress),
      owner.uid != owners.broker?.uid
    else {
      return
    }
    throw Fault(.portTaken, "port \(broker.port) is held by \(owner)")
  }

  /// Opens the daemon's session, so that the broker keeps readings for it from now on, and has the
  /// broker write it to its disk. Needed once, after a start without a persistence file.
  ///
  /// - Parameter gateway: the gateway's id.
  package func openSession(
    gateway: String, clock: any Clock<Duration> = ContinuousClock()
  ) async throws(Fault) {
    let credentials = try BrokerCredentials.load(broker.credentials)
    var settings = broker.settings(clientID: "", account: credentials.gateway).asGateway(gateway)
    settings.reconnection = nil
    // The daemon itself is not there yet.
    settings.presence = nil
    try await connectOnce(settings, clock)
    // Mosquitto writes its store on SIGUSR1, else at most a minute later.
    if let pid = PortOwner.listening(on: broker.port, at: broker.listenAddress)?.pid {
      kill(pid, SIGUSR1)
    }
  }

  /// Connects and leaves. A broker just started may need a moment before it listens.
  private func connectOnce(
    _ settings: ClientSettings, _ clock: any Clock<Duration>
  ) async throws(Fault) {
    for attempt in 1... {
      let client = Client(settings, clock: clock, now: now)
      do throws(Fault) {
        try await client.connect()
        return await client.stop()
      } catch {
        await client.stop()
        guard error.code == .brokerUnreachable, attempt < 40 else { throw error }
      }
      try? await clock.sleep(for: .milliseconds(250))
    }
  }
}
