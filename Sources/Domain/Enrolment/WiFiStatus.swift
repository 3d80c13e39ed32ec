/// What the sensor says on its Wi-Fi status characteristic, in our terms.
///
/// The texts themselves are known to `SensorProfile` alone.
package enum WiFiStatus: Hashable, Sendable {
  /// Not connected since Bluetooth was started: a state, no verdict.
  case idle
  /// Where Wi-Fi stood when we connected; nil when it was down.
  case snapshot(IPv4Address?)
  case ssidReceived
  case keyReceived
  /// The credentials were refused as such; nothing was stored.
  case refused
  /// The sensor leaves its network and tries the new one.
  case starting
  /// Admitted to the network, so the key is right; no address yet.
  case associated
  case joined(IPv4Address)
  /// Wi-Fi was left, with the reason (1–255); older firmware gives none.
  case left(reason: Int?)
  /// About MQTT; says nothing of the Wi-Fi outcome.
  case mqtt(MQTTStatus)
  /// No text we know, or one that was cut: no information.
  case unknown

  package enum MQTTStatus: Hashable, Sendable {
    /// A value was received.
    case staged
    /// A session is open.
    case connected
    /// A session could not be opened; the client library's code, which can be negative.
    case failed(Int)
    case disconnected
    case other
  }

  /// What a status means for the Wi-Fi outcome.
  package enum Meaning: String, Hashable, Sendable {
    case state
    case pending
    case positive
    case negative
    case info
  }

  package var meaning: Meaning {
    switch self {
    case .idle, .snapshot: .state
    case .ssidReceived, .keyReceived, .starting, .associated: .pending
    case .joined: .positive
    case .refused, .left: .negative
    case .mqtt, .unknown: .info
    }
  }
}
