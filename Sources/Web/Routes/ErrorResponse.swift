import Domain
import Services
import Texts

/// The one place that turns an error into a status and words: refusals are 4xx, faults 503, all else
/// is a defect of ours.
struct ErrorResponse {
  let status: Int
  let code: Code
  let message: Phrase
  let hint: Phrase?

  init(_ error: any Error) {
    switch error {
    case let refusal as Refusal:
      self.init(refusal.status, refusal.code, refusal.message, refusal.hint)
    case let refusal as EnrolmentRefusal:
      self = Self.of(refusal)
    case let invalid as SensorName.Invalid:
      self.init(400, .invalidSensorName, invalid.phrase, Code.invalidSensorName.words.advice)
    case let invalid as RuleDraft.Invalid:
      self.init(400, .invalidInput, invalid.phrase, nil)
    case let invalid as InvalidURL:
      self.init(400, .invalidInput, invalid.phrase, InvalidURL.advice)
    case let fault as Fault:
      self.init(503, fault)
    default:
      self.init(500, Fault(.internalFault))
    }
  }

  init(_ status: Int, _ code: Code, _ message: Phrase, _ hint: Phrase?) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
  }

  private init(_ status: Int, _ fault: Fault) {
    let words = fault.code.words
    let detail = fault.detail.isEmpty ? "" : " (\(fault.detail))"
    self.init(
      status, fault.code,
      Phrase(en: words.title.english + detail, fr: words.title.french + detail), words.advice)
  }

  func response(_ language: Language) -> Response {
    let failure = API.Failure(
      code: code, message: message[language], hint: hint?[language])
    guard let body = try? API.encode(failure) else { return Response(status: status) }
    return .json(body, status: status)
  }

  private static func of(_ refusal: EnrolmentRefusal) -> ErrorResponse {
    let status =
      switch refusal {
      case .notFound: 404
      case .noSuchStep, .wifi, .name, .wrongInput, .noSavedKey: 400
      case .notAllowed, .ambiguous, .taken, .tooMany, .linksBusy, .alreadyOnline: 409
      case .fault: 503
      }
    if case .fault(let fault) = refusal { return ErrorResponse(status, fault) }
    return ErrorResponse(status, refusal.code, refusal.phrase, refusal.hint)
  }
}
