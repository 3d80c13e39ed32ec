/// A D-Bus error: the name programs match on, and the words beside it.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  package let name: String
  package let message: String

  package init(name: String, message: String = "") {
    self.name = name
    self.message = message
  }

  package var description: String { message.isEmpty ? name : "\(name): \(message)" }
}

extension BusError {
  /// A standard error, `org.freedesktop.DBus.Error.<kind>`.
  package static func standard(_ kind: Standard, _ message: String = "") -> BusError {
    BusError(name: kind.rawValue, message: message)
  }

  /// The standard error this is, if it is one we tell apart.
  package var standard: Standard? { Standard(rawValue: name) }

  /// The standard errors we tell apart (D-Bus Specification and `dbus-protocol.h`).
  package enum Standard: String, Sendable {
    case accessDenied = "org.freedesktop.DBus.Error.AccessDenied"
    case badAddress = "org.freedesktop.DBus.Error.BadAddress"
    case disconnected = "org.freedesktop.DBus.Error.Disconnected"
    case failed = "org.freedesktop.DBus.Error.Failed"
    case interactiveAuthorizationRequired =
      "org.freedesktop.DBus.Error.InteractiveAuthorizationRequired"
    case invalidArguments = "org.freedesktop.DBus.Error.InvalidArgs"
    case nameHasNoOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"
    case noMemory = "org.freedesktop.DBus.Error.NoMemory"
    /// The bus's word for a peer that went away without answering.
    case noReply = "org.freedesktop.DBus.Error.NoReply"
    case serviceUnknown = "org.freedesktop.DBus.Error.ServiceUnknown"
    /// Ours, for a deadline that passed.
    case timedOut = "org.freedesktop.DBus.Error.TimedOut"
    case unknownInterface = "org.freedesktop.DBus.Error.UnknownInterface"
    case unknownMethod = "org.freedesktop.DBus.Error.UnknownMethod"
    case unknownObject = "org.freedesktop.DBus.Error.UnknownObject"
    case unknownProperty = "org.freedesktop.DBus.Error.UnknownProperty"
  }

  /// Our own word for a call whose caller was cancelled.
  package static let cancelled = BusError(
    name: "org.freedesktop.DBus.Error.Failed", message: "the caller gave up")
}
