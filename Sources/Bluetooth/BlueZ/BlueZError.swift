import Domain

/// What BlueZ, or the bus on the way to it, answered instead of doing what it was asked.
package struct BlueZError: Error, Hashable, Sendable, CustomStringConvertible {
  package let kind: Kind
  /// The daemon's words, `le-connection-abort-by-local`; with the error's name in front when it is
  /// one we do not tell apart.
  package let message: String

  package enum Kind: Hashable, Sendable {
    // BlueZ's own, `org.bluez.Error.…`
    case alreadyConnected, doesNotExist, failed, inProgress, invalidArguments, invalidValueLength
    case notAuthorized, notConnected, notPermitted, notReady, notSupported
    // The bus's
    case accessDenied, busLost, serviceAbsent, timedOut, unknownObject
    /// The calling task was cancelled.
    case cancelled
    case other
  }

  package init(_ error: BusError) {
    if error == .cancelled {
      kind = .cancelled
      message = error.message
      return
    }
    let kind = Self.kinds[error.name] ?? .other
    // What GATT operations answer on a link that is gone.
    let isUnlinked = kind == .failed && error.message == "Not connected"
    self.kind = isUnlinked ? .notConnected : kind
    message = kind == .other || error.message.isEmpty ? error.description : error.message
  }

  private static let kinds: [String: Kind] = [
    "org.bluez.Error.AlreadyConnected": .alreadyConnected,
    "org.bluez.Error.DoesNotExist": .doesNotExist,
    "org.bluez.Error.Failed": .failed,
    "org.bluez.Error.InProgress": .inProgress,
    "org.bluez.Error.InvalidArguments": .invalidArguments,
    "org.bluez.Error.InvalidValueLength": .invalidValueLength,
    "org.bluez.Error.NotAuthorized": .notAuthorized,
    "org.bluez.Error.NotConnected": .notConnected,
    "org.bluez.Error.NotPermitted": .notPermitted,
    "org.bluez.Error.NotReady": .notReady,
    "org.bluez.Error.NotSupported": .notSupported,
    BusError.Standard.accessDenied.rawValue: .accessDenied,
    BusError.Standard.disconnected.rawValue: .busLost,
    BusError.Standard.nameHasNoOwner.rawValue: .serviceAbsent,
    BusError.Standard.noReply.rawValue: .serviceAbsent,
    BusError.Standard.serviceUnknown.rawValue: .serviceAbsent,
    BusError.Standard.timedOut.rawValue: .timedOut,
    BusError.Standard.unknownInterface.rawValue: .unknownObject,
    BusError.Standard.unknownMethod.rawValue: .unknownObject,
    BusError.Standard.unknownObject.rawValue: .unknownObject,
  ]

  package var description: String { message }
}

extension BlueZError {
  /// Whether trying to connect again may help: all that BlueZ says of the air and of its own
  /// business, but not what it says of us.
  package var isTransient: Bool {
    switch kind {
    case .failed: !Self.permanent.contains { message.contains($0) }
    case .alreadyConnected, .inProgress, .notConnected, .timedOut: true
    default: false
    }
  }

  /// Ends of `le-connection-…` and `br-connection-…` that no second try mends (BlueZ,
  /// `src/error.h`).
  private static let permanent = [
    "-invalid-arguments", "-not-supported", "-adapter-not-powered", "-memory-allocation",
    "-key-missing",
  ]

  /// What to tell: the causes common to all calls under their own codes, else `code`.
  package func fault(else code: Code) -> Fault {
    switch kind {
    case .accessDenied: Fault(.bluetoothDenied, message)
    case .busLost: Fault(.busUnreachable, message)
    case .cancelled: Fault(.cancelled)
    case .serviceAbsent: Fault(.bluetoothdRestarted, message)
    default: Fault(code, message)
    }
  }
}
