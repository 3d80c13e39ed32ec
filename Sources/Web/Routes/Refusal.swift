import Domain
import Texts

/// The caller's mistake, with the status and the words it is answered by.
struct Refusal: Error {
  let status: Int
  let code: Code
  let message: Phrase
  let hint: Phrase?

  init(_ status: Int, _ code: Code, _ message: Phrase, hint: Phrase? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
  }

  static func notFound(_ what: Phrase) -> Refusal {
    Refusal(
      404, .notFound,
      Phrase(en: "there is no such \(what.english)", fr: "introuvable : \(what.french)"))
  }

  static let badChip = Refusal(
    400, .invalidInput,
    Phrase(
      en: "a chip id has twelve digits, 0–9 and A–F",
      fr: "un identifiant de capteur a douze chiffres, 0–9 et A–F"))

  static func badQuery(_ name: String, _ expected: Phrase) -> Refusal {
    Refusal(
      400, .invalidInput,
      Phrase(
        en: "“\(name)” must be \(expected.english)",
        fr: "« \(name) » doit être "
          + "\(expected.french)"))
  }

  static func missing(_ name: String) -> Refusal {
    Refusal(400, .invalidInput, Phrase(en: "“\(name)” is missing", fr: "« \(name) » manque"))
  }
}
