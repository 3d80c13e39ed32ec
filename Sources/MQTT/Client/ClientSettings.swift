import Domain
import Host

/// Everything one broker connection is made with.
package struct ClientSettings: Sendable {
  /// A name, looked up afresh at each attempt, or an address.
  package var host: String
  package var port: Int
  package var clientID: String
  /// Whether the broker keeps our subscriptions and unacknowledged messages while we are away.
  package var isPersistent: Bool
  package var user: String?
  package var password: Secret?
  /// Nil speaks in clear.
  package var tls: TLSSettings?
  /// Made anew at every connection, whatever the broker remembers.
  package var subscriptions: [Subscription]
  package var presence: Presence?
  /// The address of ours to connect from; nil leaves it to the system.
  package var bindAddress: String?
  /// How to wait between attempts; nil makes one attempt and no more.
  package var reconnection: Backoff?
  package var deadlines = Deadlines()
  /// Whether its comings and goings are worth lines in the log: the daemon's own connection's are, those
  /// of a short errand are told to its caller.
  package var isLogged = false
  /// Longest payload handed over, in bytes.
  package var payloadLimit = 16 * 1024

  package init(
    host: String, port: Int = 8883, clientID: String, isPersistent: Bool = false,
    user: String? = nil, password: Secret? = nil, tls: TLSSettings? = nil,
    subscriptions: [Subscription] = [], presence: Presence? = nil, reconnection: Backoff? = nil
  ) {
    self.host = host
    self.port = port
    self.clientID = clientID
    self.isPersistent = isPersistent
    self.user = user
    self.password = password
    self.tls = tls
    self.subscriptions = subscriptions
    self.presence = presence
    self.reconnection = reconnection
  }

  /// The daemon's own connection: its session outlives it, its readings are acknowledged after the
  /// commit, its presence shows.
  ///
  /// - Parameter id: the gateway's id; two gateways must never share one.
  package func asGateway(_ id: String) -> ClientSettings {
    var settings = self
    settings.clientID = "soundgate-\(id)"
    settings.isPersistent = true
    settings.subscriptions = Topic.filters.map { Subscription($0) }
    settings.presence = .gateway(id)
    settings.reconnection = Self.steadyReconnection
    settings.isLogged = true
    return settings
  }

  /// One second at first, doubled up to a minute, half of it left to chance.
  package static let steadyReconnection = Backoff(cap: .seconds(60))
}

/// A topic filter and the quality of service asked for, 0 or 1. Never 2: libmosquitto acknowledges
/// that before we could have stored anything.
package struct Subscription: Hashable, Sendable {
  package let filter: String
  package let qos: Int

  package init(_ filter: String, qos: Int = 1) {
    self.filter = filter
    self.qos = qos
  }
}

/// Whose certificates are trusted.
package enum TLSSettings: Hashable, Sendable {
  /// Those signed by an authority of this PEM file (or the very certificate in it), for our host.
  case authority(file: String)
  /// Those signed by an authority of the operating system, for our host.
  case systemAuthorities
  /// Any, as the sensors do with an IPv4 literal. Never for the gateway's own connection.
  case anyCertificate
}

/// What others see of us on a topic of our own: birth, farewell and last will, all retained.
package struct Presence: Hashable, Sendable {
  package let topic: String
  package let online: String
  package let offline: String
  /// Of the last will and the birth alike, 0 or 1.
  package let qos: Int
  /// False leaves birth and farewell to the caller; the last will stands all the same.
  package let isSpoken: Bool

  package init(
    topic: String, online: String = "online", offline: String = "offline", qos: Int = 1,
    isSpoken: Bool = true
  ) {
    self.topic = topic
    self.online = online
    self.offline = offline
    self.qos = qos
    self.isSpoken = isSpoken
  }

  /// The presence of a gateway: `soundgate/<gateway id>/availability`.
  package static func gateway(_ id: String) -> Presence {
    Presence(topic: "soundgate/\(id)/availability")
  }
}

/// How long a connection may take over each thing.
package struct Deadlines: Hashable, Sendable {
  /// From the look-up to the last subscription granted.
  package var opening: Duration = .seconds(10)
  /// From a request to its acknowledgement.
  package var request: Duration = .seconds(10)
  /// For the broker to acknowledge our farewell.
  package var farewell: Duration = .seconds(2)
  /// Silence after which one side asks the other whether it is there. A commit slower than half of
  /// it drops the connection, unacknowledged.
  package var keepAlive: Duration = .seconds(60)
  /// How long a connection must last before the next failure counts as the first.
  package var stable: Duration = .seconds(60)

  package init() {}
}
