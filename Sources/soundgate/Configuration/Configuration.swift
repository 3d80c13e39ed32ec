import Domain
import Host
import Texts

/// What belongs to this machine (`docs/configuration.md`). What people decide (destinations, rules,
/// networks) lives in the database.
package struct Configuration: Sendable, Equatable {
  package var site = Site()
  package var bluetooth = BluetoothPart()
  package var broker = BrokerPart()
  package var storage = StoragePart()
  package var control = Control()
  package var enrolment = EnrolmentPart()
  package var logLevel = "info"

  package init() {}

  package struct Site: Sendable, Equatable {
    package var name = ""
    /// IANA zone; nil means the machine's.
    package var timeZone: String?
  }

  package struct BluetoothPart: Sendable, Equatable {
    /// The adapter's address; nil takes the first powered one.
    package var adapter: BluetoothAddress?
    /// Links open at once on the adapter, 1–7.
    package var links = 1
    /// A D-Bus address; nil means the system bus.
    package var bus: String?
  }

  package struct BrokerPart: Sendable, Equatable {
    package enum Mode: String, Sendable, CaseIterable { case local, site }

    package var mode = Mode.local
    /// Where the daemon connects.
    package var host = "127.0.0.1"
    /// What sensors are given: an IPv4 literal. On the local broker, its set-up decides unless set.
    package var sensorAddress: String?
    package var port = 8883
    /// PEM file of the authority; nil: the local broker's own certificate, or the system's.
    package var authority: String?
    package var user: String?
    /// A file holding the password, used unless the credential `soundgate.broker` is given.
    package var passwordFile: String?
    /// The local broker's files.
    package var directory = "/var/lib/soundgate-broker"
  }

  package struct StoragePart: Sendable, Equatable {
    package var directory = "/var/lib/soundgate"
    package var retention = Duration.seconds(30 * 86_400)
  }

  package struct Control: Sendable, Equatable {
    package var socket = Self.defaultSocket
    package var group = "soundgate"

    package static let defaultSocket = "/run/soundgate/control.sock"
  }

  package struct EnrolmentPart: Sendable, Equatable {
    package var link = LinkDeadlines()
    /// From the password's acknowledgement to `Connexion...`.
    package var wifiStart = Duration.seconds(17)
    /// Silence, or nothing but “network not found”, after `Connexion...`.
    package var wifiSilence = Duration.seconds(10)
    /// Any other Wi-Fi verdict after `Connexion...`.
    package var wifi = Duration.seconds(20)
    /// From the fourth MQTT write to the first reading.
    package var firstReading = Duration.seconds(60)
    /// The sensor's own advertising window, from its button.
    package var window = Duration.seconds(300)
  }

  package static let defaultPath = "/etc/soundgate/soundgate.conf"
}
