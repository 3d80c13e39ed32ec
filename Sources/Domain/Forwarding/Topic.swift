/// A topic that sensors publish on, `devices/<chip id>/…`, matched exactly
/// (`docs/sensor-profile.md`, "Topics"). Anything else is odd, dropped and counted.
package enum Topic: Hashable, Sendable {
  /// A status message, JSON; retained by the broker.
  case status(SensorID)
  /// `online` or `offline`; retained by the broker.
  case availability(SensorID)
  case firmwareStatus(SensorID)
  /// The answer to `resetMQTT`.
  case resetAcknowledgement(SensorID)

  /// - Returns: nil unless the whole of `text` is such a topic with a well-formed chip id.
  package init?(_ text: String) {
    let levels = text.split(
      separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard levels.count == 3, levels[0] == "devices", let sensor = SensorID(levels[1]) else {
      return nil
    }
    switch levels[2] {
    case "status": self = .status(sensor)
    case "availability": self = .availability(sensor)
    case "ota/status": self = .firmwareStatus(sensor)
    case "cmd/reset_mqtt/ack": self = .resetAcknowledgement(sensor)
    default: return nil
    }
  }

  package var sensor: SensorID {
    switch self {
    case .status(let sensor), .availability(let sensor), .firmwareStatus(let sensor),
      .resetAcknowledgement(let sensor):
      sensor
    }
  }

  /// What the daemon subscribes to.
  package static let filters = [
    "devices/+/status", "devices/+/availability", "devices/+/ota/status",
    "devices/+/cmd/reset_mqtt/ack",
  ]

  /// Makes the sensor erase its broker settings and open its Bluetooth for five minutes. Never to be
  /// published retained: the sensor would obey again at each connection.
  package static func resetMQTT(_ sensor: SensorID) -> String {
    "devices/\(sensor)/cmd/reset_mqtt"
  }
}

/// What a sensor, or the broker in its place, says on its availability topic. Indicative only: a
/// clean disconnect leaves a retained `online`.
package enum Availability: String, Hashable, Sendable, Codable, CaseIterable {
  case online
  case offline

  /// - Returns: nil unless the bytes are one of the two words.
  package init?(payload: [UInt8]) {
    self.init(rawValue: String(decoding: payload, as: UTF8.self))
  }
}
