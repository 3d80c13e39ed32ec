import Domain

/// One thing that an account may do, in the words of Mosquitto's dynamic security.
struct BrokerACL: Codable, Hashable {
  let acltype: Kind
  let topic: String
  var priority = 0
  var allow = true

  enum Kind: String, Codable {
    case publish = "publishClientSend"
    case receive = "publishClientReceive"
    case subscribe = "subscribePattern"
  }

  static func may(_ kinds: Kind..., topic: String) -> [BrokerACL] {
    kinds.map { BrokerACL(acltype: $0, topic: topic) }
  }
}

/// What an account is for. Whatever is not named here is denied.
package enum BrokerRole: Hashable, Sendable {
  /// The daemon: hears the sensors and the broker's log, sends commands, says that it is there.
  case gateway
  /// Makes and deletes accounts, and nothing else.
  case administrator
  /// One sensor, on its own topics (`docs/sensor-profile.md`, "Topics").
  case sensor(SensorID)

  var name: String {
    switch self {
    case .gateway: "gateway"
    case .administrator: "administrator"
    case .sensor(let id): "sensor-\(id)"
    }
  }

  var acls: [BrokerACL] {
    switch self {
    case .gateway:
      BrokerACL.may(.subscribe, .receive, topic: "devices/#")
        + BrokerACL.may(.subscribe, .receive, topic: "$SYS/broker/log/#")
        + BrokerACL.may(.publish, topic: "devices/+/cmd/#")
        + BrokerACL.may(.publish, topic: "soundgate/+/availability")
    case .administrator:
      BrokerACL.may(.publish, .subscribe, .receive, topic: "$CONTROL/dynamic-security/#")
    case .sensor(let id):
      ["status", "availability", "ota/status", "cmd/reset_mqtt/ack", "cmd/ota"]
        .flatMap { BrokerACL.may(.publish, topic: "devices/\(id)/\($0)") }
        + BrokerACL.may(.publish, topic: "homeassistant/sensor/\(id)/sound/config")
        + BrokerACL.may(.subscribe, .receive, topic: "devices/\(id)/cmd/#")
    }
  }
}

/// An account of the broker.
package struct BrokerAccount: Hashable, Sendable {
  package let user: String
  package let password: Secret
  package let role: BrokerRole

  package init(user: String, password: Secret, role: BrokerRole) {
    self.user = user
    self.password = password
    self.role = role
  }
}
