import Bluetooth
import Domain

/// Something that a client asked of the stand-in, or that happened to its links, and when.
package struct BlueZEvent: Hashable, Sendable {
  package let at: Duration
  package let kind: Kind

  package enum Kind: Hashable, Sendable {
    /// A call came in; every call is noted, also one that will be refused.
    case called(StandInBlueZ.Method)
    case filter([String: DBus.Value])
    case discovering(Bool)
    case connecting(BluetoothAddress)
    case connected(BluetoothAddress)
    case resolved(BluetoothAddress)
    case disconnected(BluetoothAddress)
    case removed(BluetoothAddress)
    case read(BluetoothAddress, characteristic: String)
    /// Bytes reached the peripheral; the time is that of their arrival.
    case written(BluetoothAddress, characteristic: String, [UInt8])
    case subscribed(BluetoothAddress, characteristic: String, Bool)
    case notified(BluetoothAddress, characteristic: String, [UInt8])
    /// A second operation was begun on a link while one was under way.
    case overlapped(BluetoothAddress)
  }
}
