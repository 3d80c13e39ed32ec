import Bluetooth
import Domain
import Host
import MQTT
import Services

extension Daemon {
  /// What `status` asks of each part, again and again.
  static func checks(
    radio: BlueZRadio, link: BrokerLink, clockWatch: ClockWatch, _ configuration: Configuration
  ) -> [HealthCheck] {
    var checks = [
      HealthCheck(.bluetooth, level: .down) {
        if case .unusable(let fault) = await radio.condition() { fault } else { nil }
      },
      HealthCheck(.broker, level: .down) { await link.condition().fault },
      HealthCheck(.clock) { await clockWatch.refresh() },
      HealthCheck(.brokerAddress) { await link.sensorAddressFault() },
    ]
    if configuration.broker.mode == .site {
      checks.append(
        HealthCheck(.brokerGuarantee) {
          Fault(.atMostOnce, "a site's broker; SoundGate cannot see its settings")
        })
      checks.append(
        HealthCheck(.brokerAccounts) {
          Fault(.accountFailed, "a site's broker: one account serves all sensors")
        })
    }
    return checks
  }
}

extension BrokerCondition {
  /// Why there is no connection; nil when there is one.
  var fault: Fault? {
    switch self {
    case .connecting: Fault(.brokerUnreachable, "connecting")
    case .connected: nil
    case .down(let fault, _): fault
    }
  }
}

extension Configuration.EnrolmentPart {
  var deadlines: EnrolmentDeadlines {
    EnrolmentDeadlines(
      link: link,
      wifi: WiFiVerdict.Limits(start: wifiStart, silence: wifiSilence, answer: wifi),
      firstReading: firstReading, window: window)
  }
}
