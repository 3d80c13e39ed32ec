import Crypto
import Domain
import Glibc
import Host

/// One thing that `soundgate broker check` looked at; a nil fault is a good one.
package struct BrokerFinding: Hashable, Sendable {
  package let subject: Subject
  package let fault: Fault?

  package enum Subject: String, Hashable, Sendable, Codable, CaseIterable {
    /// The files that the set-up wrote for the daemon.
    case setUp
    /// The broker's account store against the list of accounts.
    case accounts
    /// The sensors' address against the machine's interfaces.
    case address
    /// The certificate's names and dates.
    case certificate
    /// Who listens on the port.
    case port
    /// Connection, TLS, account and subscription, as the daemon uses them.
    case connection
  }

  package init(_ subject: Subject, _ fault: Fault? = nil) {
    self.subject = subject
    self.fault = fault
  }
}

/// Looks at everything that the way from sensor to daemon needs of the broker.
package struct BrokerCheck: Sendable {
  private let clock: any Clock<Duration>
  private let now: WallClock

  package init(clock: any Clock<Duration> = ContinuousClock(), now: @escaping WallClock) {
    self.clock = clock
    self.now = now
  }

  /// The gateway's own broker. Its account store is looked at only by those who may read it.
  package func findings(on broker: LocalBroker) async -> [BrokerFinding] {
    let credentials: BrokerCredentials
    do {
      credentials = try BrokerCredentials.load(broker.credentials)
    } catch {
      return [BrokerFinding(.setUp, error)]
    }
    var findings = [BrokerFinding(.setUp)]
    if access(broker.directory, R_OK | X_OK) == 0 {
      findings.append(BrokerFinding(.accounts, accountFault(on: broker)))
    }
    let address = credentials.sensorAddress
    findings.append(
      BrokerFinding(
        .address,
        LocalAddresses.include(address)
          ? nil : Fault(.literalMoved, "\(address) is no address of this machine")))
    findings.append(BrokerFinding(.certificate, certificateFault(on: broker, address)))
    let port = portFault(on: broker)
    findings.append(BrokerFinding(.port, port))
    guard port == nil else { return findings }
    var settings = broker.settings(clientID: "", account: credentials.gateway)
    // Where the sensors go, and by the name they use.
    settings.host = address.text
    return findings + [await connection(settings)]
  }

  /// A site's own broker, with the daemon's own settings.
  package func connection(_ settings: ClientSettings) async -> BrokerFinding {
    var settings = settings
    settings.clientID = "soundgate-check-\(UInt32.random(in: .min ... .max))"
    settings.isPersistent = false
    settings.subscriptions = Topic.filters.map { Subscription($0) }
    settings.presence = nil
    settings.reconnection = nil
    let client = Client(settings, clock: clock, now: now)
    var fault: Fault?
    do throws(Fault) {
      try await client.connect()
    } catch {
      fault = error
    }
    await client.stop()
    return BrokerFinding(.connection, fault)
  }

  private func accountFault(on broker: LocalBroker) -> Fault? {
    do throws(Fault) {
      _ = try BrokerGuard(broker).wholeStore(holding: try AccountList(broker.accountList).read())
      return nil
    } catch {
      return error
    }
  }

  private func certificateFault(on broker: LocalBroker, _ address: IPv4Address) -> Fault? {
    let path = broker.trustedCertificate
    guard let content = try? Files.read(path, atMost: 1 << 20),
      let summary = try? CertificateSummary(pem: String(decoding: content, as: UTF8.self))
    else { return Fault(.authorityUnreadable, path) }
    if !summary.addresses.contains(address.text) {
      return Fault(
        .brokerCertificateName,
        "\(address) is not among \(summary.addresses.joined(separator: ", "))")
    }
    if now() < summary.notBefore || summary.notAfter < now() {
      return Fault(.brokerCertificateTime, "the certificate's time is not now: is the clock right?")
    }
    return nil
  }

  private func portFault(on broker: LocalBroker) -> Fault? {
    guard let owner = PortOwner.listening(on: broker.port, at: broker.listenAddress) else {
      return Fault(.brokerUnreachable, "nobody listens on port \(broker.port)")
    }
    guard let program = owner.program, program != "mosquitto" else { return nil }
    return Fault(.portTaken, "port \(broker.port) is held by \(owner)")
  }
}
