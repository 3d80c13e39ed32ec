import Domain
import FoundationEssentials

/// Why the desk did not do as it was told. Nothing has changed.
package enum EnrolmentRefusal: Error, Hashable, Sendable {
  /// There is no such enrolment.
  case notFound
  /// A step is 1 to 5.
  case noSuchStep(Int)
  /// Out of turn (409).
  case notAllowed(NotAllowed)
  case wifi(WiFiCredentials.Invalid)
  case name(SensorName.Invalid)
  /// The input is not what the step takes.
  case wrongInput(EnrolmentStep)
  /// No key was given and none is saved for this network.
  case noSavedKey
  /// Several sensors answer to that chip id: choose by address.
  case ambiguous([BluetoothAddress])
  /// Another enrolment of the sensor is under way.
  case taken(by: UUID)
  /// All links are in use, one of them by that enrolment.
  case linksBusy(with: UUID)
  /// As many are under way as are allowed.
  case tooMany
  /// The sensor is online, so its radio is off.
  case alreadyOnline(SensorID, [WayBack])
  /// The world failed: the store, the radio.
  case fault(Fault)

  package var code: Code {
    switch self {
    case .notFound: .notFound
    case .noSuchStep, .wrongInput, .noSavedKey: .invalidInput
    case .notAllowed: .outOfTurn
    case .wifi(let invalid): invalid.code
    case .name: .invalidSensorName
    case .ambiguous, .taken, .tooMany: .conflict
    case .linksBusy: .linksBusy
    case .alreadyOnline: .alreadyOnline
    case .fault(let fault): fault.code
    }
  }

  static let shuttingDown = EnrolmentRefusal.fault(Fault(.shuttingDown))
}
