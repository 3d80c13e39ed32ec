import Bluetooth
import Domain
import Testing

@Suite("An error of BlueZ's")
struct ErrorTests {
  @Test(
    "keeps the daemon's words and its kind",
    arguments: [
      ("org.bluez.Error.InProgress", BlueZError.Kind.inProgress, true),
      ("org.bluez.Error.NotReady", .notReady, false),
      ("org.bluez.Error.NotSupported", .notSupported, false),
      ("org.bluez.Error.AlreadyConnected", .alreadyConnected, true),
      ("org.freedesktop.DBus.Error.UnknownObject", .unknownObject, false),
      ("org.freedesktop.DBus.Error.UnknownMethod", .unknownObject, false),
      ("org.freedesktop.DBus.Error.AccessDenied", .accessDenied, false),
      ("org.freedesktop.DBus.Error.NoReply", .serviceAbsent, false),
      ("org.freedesktop.DBus.Error.TimedOut", .timedOut, true),
    ])
  func kinds(name: String, kind: BlueZError.Kind, isTransient: Bool) {
    let error = BlueZError(BusError(name: name, message: "words"))
    #expect(error.kind == kind)
    #expect(error.message == "words")
    #expect(error.isTransient == isTransient)
  }

  @Test("keeps the name of one it does not know")
  func unknown() {
    let error = BlueZError(BusError(name: "org.bluez.Error.Novel", message: "words"))
    #expect(error.kind == .other)
    #expect(error.message == "org.bluez.Error.Novel: words")
    #expect(error.fault(else: .readFailed) == Fault(.readFailed, error.message))
  }

  @Test(
    "of connecting is worth another try, unless it is about us",
    arguments: [
      ("le-connection-abort-by-local", true), ("le-connection-abort-by-remote", true),
      ("le-connection-timeout", true), ("le-connection-refused", true),
      ("le-connection-busy", true), ("le-connection-unknown", true),
      ("le-connection-link-layer-protocol-error", true), ("le-connection-gatt-browsing", true),
      ("br-connection-canceled", true), ("Software caused connection abort", true),
      ("Input/output error", true), ("le-connection-not-supported", false),
      ("le-connection-adapter-not-powered", false), ("le-connection-invalid-arguments", false),
      ("le-connection-memory-allocation", false), ("le-connection-key-missing", false),
    ])
  func connecting(words: String, isTransient: Bool) {
    let error = BlueZError(BusError(name: "org.bluez.Error.Failed", message: words))
    #expect(error.isTransient == isTransient)
  }

  @Test(
    "that is not about the sensor has a code of its own",
    arguments: [
      (BusError.Standard.accessDenied, Code.bluetoothDenied),
      (.disconnected, .busUnreachable), (.serviceUnknown, .bluetoothdRestarted),
      (.nameHasNoOwner, .bluetoothdRestarted), (.failed, .writeRefused),
    ])
  func faults(standard: BusError.Standard, code: Code) {
    #expect(BlueZError(.standard(standard)).fault(else: .writeRefused).code == code)
    #expect(BlueZError(.cancelled).fault(else: .writeRefused).code == .cancelled)
  }
}
