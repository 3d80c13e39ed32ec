import Domain
import FoundationEssentials
import Host
import Simulator
import Texts

/// Any error, in the words and with the code that a person or a script gets.
struct Failure: Error {
  let code: Code
  let message: Phrase
  let hint: Phrase?

  init(_ error: any Error, command: String) {
    switch error {
    case let failure as Failure:
      self = failure
    case let refusal as Arguments.Refusal:
      self.init(
        code: .invalidInput, message: refusal.phrase,
        hint: Phrase(
          en: "see: soundgate help \(command)", fr: "voir : soundgate help \(command)"))
    case let refused as Refused:
      self.init(code: refused.code, message: refused.message, hint: refused.hint)
    case let invalid as WiFiCredentials.Invalid:
      self.init(code: invalid.code, message: invalid.phrase, hint: invalid.code.words.advice)
    case let invalid as SensorName.Invalid:
      self.init(
        code: .invalidSensorName, message: invalid.phrase,
        hint: Code.invalidSensorName.words.advice)
    case let invalid as Configuration.Invalid:
      self.init(
        code: .configuration,
        message: Phrase(
          en: invalid.lines.map(\.english).joined(separator: "\n"),
          fr: invalid.lines.map(\.french).joined(separator: "\n")),
        hint: Code.configuration.words.advice)
    case let missing as ChildProcess.NotStarted:
      self.init(notStarted: "\(missing.program): \(systemMessage(missing.error))")
    case let bus as PrivateBus.NotStarted:
      self.init(notStarted: bus.reason)
    case let fault as Fault:
      self.init(fault)
    case DemoStory.Failed.daemonEnded(let status):
      self.init(
        code: Self.code(exitStatus: status),
        message: status < 0
          ? Phrase(
            en: "the daemon was ended by signal \(-status)",
            fr: "le service a été arrêté par le signal \(-status)")
          : Phrase(
            en: "the daemon ended with status \(status)",
            fr: "le service s’est arrêté avec le code \(status)"), hint: nil)
    case DemoStory.Failed.unexpected(let message, let code):
      self.init(code: code, message: message, hint: nil)
    default:
      self.init(Fault(.internalFault, "\(error)"))
    }
  }

  init(code: Code, message: Phrase, hint: Phrase?) {
    self.code = code
    self.message = message
    self.hint = hint
  }

  init(_ fault: Fault) {
    let words = fault.code.words
    let detail = fault.detail.isEmpty ? "" : " (\(fault.detail.visible))"
    self.init(
      code: fault.code,
      message: Phrase(en: words.title.english + detail, fr: words.title.french + detail),
      hint: words.advice)
  }

  /// - Parameter notStarted: which program, and why.
  private init(notStarted: String) {
    self.init(
      code: .internalFault,
      message: Phrase(
        en: "a program could not be started: \(notStarted)",
        fr: "un programme n’a pas pu démarrer : \(notStarted)"),
      hint: Phrase(
        en: "install what is missing: sudo apt install dbus mosquitto",
        fr: "installez ce qui manque : sudo apt install dbus mosquitto"))
  }

  /// A code of the leg that an exit status names.
  private static func code(exitStatus: Int32) -> Code {
    let leg = Code.Leg.allCases.first { $0.exitStatus == exitStatus }
    return Code.all.first { $0.leg == leg } ?? .internalFault
  }

  func show(on terminal: Terminal, asJSON: Bool) {
    guard asJSON else {
      terminal.complain(message, code: code, hint: hint)
      return
    }
    let body = ErrorBody(
      error: .init(
        code: code.description, message: message[terminal.language],
        hint: hint?[terminal.language]))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if let bytes = try? encoder.encode(body) {
      terminal.say(String(decoding: bytes, as: UTF8.self))
    }
  }

  private struct ErrorBody: Encodable {
    let error: Content

    struct Content: Encodable {
      let code: String
      let message: String
      let hint: String?
    }
  }
}
