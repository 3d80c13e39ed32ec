import Domain

/// Where everything of the gateway's own broker is.
///
/// The broker runs as its own user and reads nothing of the daemon's; what both need (the
/// certificate) is in both directories.
package struct LocalBroker: Sendable, Hashable {
  /// The broker's own files.
  package var directory: String
  /// The daemon's: the credentials, the certificate to trust, the list of accounts.
  package var stateDirectory: String
  package var port: Int
  /// The one address to listen on; nil listens on all.
  package var listenAddress: IPv4Address?

  package init(
    directory: String = "/var/lib/soundgate-broker", stateDirectory: String = "/var/lib/soundgate",
    port: Int = 8883, listenAddress: IPv4Address? = nil
  ) {
    self.directory = directory
    self.stateDirectory = stateDirectory
    self.port = port
    self.listenAddress = listenAddress
  }

  package var configuration: String { "\(directory)/mosquitto.conf" }
  package var certificate: String { "\(directory)/server.crt" }
  package var key: String { "\(directory)/server.key" }
  /// The accounts, kept by the broker's dynamic-security plugin.
  package var accountStore: String { "\(directory)/dynamic-security.json" }
  /// The last account store that the guard found whole.
  package var accountStoreCopy: String { "\(directory)/dynamic-security.json.good" }
  /// Sessions, retained and queued messages.
  package var persistence: String { "\(directory)/mosquitto.db" }

  package var credentials: String { "\(stateDirectory)/broker.credentials" }
  package var trustedCertificate: String { "\(stateDirectory)/broker.crt" }
  package var accountList: String { "\(stateDirectory)/broker.accounts" }

  /// Where the daemon connects: the machine itself, not the address given to sensors, which may move.
  package var host: String { listenAddress?.text ?? "127.0.0.1" }

  /// A connection of one of our own accounts.
  package func settings(
    clientID: String, account: BrokerCredentials.Account
  ) -> ClientSettings {
    ClientSettings(
      host: host, port: port, clientID: clientID, user: account.user, password: account.password,
      tls: .authority(file: trustedCertificate))
  }
}
