import Bluetooth
import Domain

/// What a stand-in does wrong; each is given with the number of times that it happens.
package enum Misbehaviour: Hashable, Sendable {
  /// The call is never answered.
  case swallow(StandInBlueZ.Method)
  /// The call is answered after this much longer.
  case delay(StandInBlueZ.Method, Duration)
  case refuse(StandInBlueZ.Method, BusError)

  /// The link comes up, `Connect` fails with `le-connection-abort-by-local`, the link goes down.
  case abortByLocal
  /// The device is removed as `Connect` comes in.
  case vanishBeforeConnect
  /// The link is up and stays up, but its services never resolve.
  case neverResolve
  /// The link is lost this long after it came up, before the services resolve.
  case dropBeforeResolved(Duration)
  /// The characteristics first show under the paths of the sensor's former firmware.
  case staleAttributes
  /// The characteristic is not among those discovered.
  case missing(SensorCharacteristic)
  /// After a reconnection `Notifying` is still true from the link before.
  case keepNotifying
  /// Characteristics have no `MTU` property, as with an older BlueZ.
  case withoutMTU
  /// The link keeps the smallest MTU, 23.
  case smallestMTU

  /// Setting `Powered` has no effect but this error.
  package static func powering(_ error: BusError) -> Misbehaviour { .refuse(.set, error) }
}

extension StandInBlueZ {
  /// The methods that can be told to misbehave.
  package enum Method: String, Hashable, Sendable, CaseIterable {
    case managedObjects = "GetManagedObjects"
    case get = "Get"
    case all = "GetAll"
    case set = "Set"
    case setDiscoveryFilter = "SetDiscoveryFilter"
    case startDiscovery = "StartDiscovery"
    case stopDiscovery = "StopDiscovery"
    case removeDevice = "RemoveDevice"
    case connect = "Connect"
    case disconnect = "Disconnect"
    case read = "ReadValue"
    case write = "WriteValue"
    case startNotify = "StartNotify"
    case stopNotify = "StopNotify"
  }
}

extension BusError {
  static func bluez(_ name: String, _ message: String = "") -> BusError {
    BusError(name: "org.bluez.Error.\(name)", message: message)
  }

  package static let inProgress = bluez("InProgress", "Operation already in progress")
  package static let notReady = bluez("NotReady", "Resource Not Ready")
  package static let busy = bluez("Busy")
  package static let blocked = bluez("Blocked", "Blocked through rfkill")
  package static let abortByLocal = bluez("Failed", "le-connection-abort-by-local")
  package static let notConnected = bluez("Failed", "Not connected")
  package static let notSupported = bluez("NotSupported", "Operation is not supported")
  package static let notPermitted = bluez("NotPermitted", "Write not permitted")
  package static let invalidLength = bluez("InvalidValueLength", "Invalid Length")
  package static let doesNotExist = bluez("DoesNotExist", "Does Not Exist")
  package static let noDiscovery = bluez("Failed", "No discovery started")
  package static let notAuthorized = bluez("NotAuthorized", "Not Authorized")
  package static let attributeError = bluez("Failed", "Operation failed with ATT error: 0x0e")
}
