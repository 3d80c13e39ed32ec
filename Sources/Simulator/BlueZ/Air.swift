import Bluetooth
import Domain

/// Something else that advertises: a phone, a lamp, a name that only looks like a sensor's.
package struct Bystander: Hashable, Sendable {
  package var address: BluetoothAddress
  /// Nil never tells a name.
  package var name: String?
  package var rssi: Int

  package init(address: BluetoothAddress, name: String?, rssi: Int = -70) {
    self.address = address
    self.name = name
    self.rssi = rssi
  }
}

/// One transmitter as an adapter may hear it.
struct Transmitter: Sendable {
  let address: BluetoothAddress
  /// Told in the scan response only, which comes after the first advertisement.
  let name: String?
  /// Strength in dBm; nil out of reach.
  var rssi: Int?
  var isOnAir: Bool
  /// Nil for a bystander, which accepts no connection.
  let sensor: SensorRunner?
}

/// An adapter of the stand-in.
struct StandInAdapter: Sendable {
  let address: BluetoothAddress
  var isPowered = true
  var isBlocked = false
  /// The discovery sessions, by the client's unique name.
  var sessions: [String: DiscoveryFilter] = [:]
  /// Filters set before a discovery is started.
  var filters: [String: DiscoveryFilter] = [:]

  var isDiscovering: Bool { !sessions.isEmpty }

  var powerState: String { isBlocked ? "off-blocked" : isPowered ? "on" : "off" }

  func reports(_ transmitter: Transmitter) -> Bool {
    sessions.values.contains { filter in
      guard let pattern = filter.pattern else { return true }
      return transmitter.address.text.hasPrefix(pattern)
        || transmitter.name?.hasPrefix(pattern) == true
    }
  }
}

/// What a client asked to be told of (BlueZ, `SetDiscoveryFilter`).
struct DiscoveryFilter: Hashable, Sendable {
  /// A prefix of the name or the address.
  var pattern: String?
  /// Without one, BlueZ reports a strength only when it has changed by much.
  var hasRSSI = false

  init(_ options: [String: DBus.Value] = [:]) {
    pattern = options["Pattern"]?.text
    hasRSSI = options["RSSI"] != nil
  }
}

/// A link between a client's adapter and a sensor.
struct StandInLink: Sendable {
  let number: Int
  let address: BluetoothAddress
  let sensor: SensorRunner
  let traits: SensorTraits
  let mtu: Int
  /// The characteristics by object path, once resolved.
  var attributes: [String: SensorCharacteristic] = [:]
  var notifying: Set<String> = []
  /// The sensor's radio is off; nobody has noticed yet.
  var isSilent = false
  /// Operations that wait for an answer that will not come.
  var stalled: [DBus.IncomingCall] = []
  var operations = 0
}
