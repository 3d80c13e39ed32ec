import Domain
import Texts

extension Refusal {
  /// Says which field of the body is wrong and what it must be, without repeating its value.
  static func badBody(_ error: any Error) -> Refusal {
    switch error {
    case DecodingError.keyNotFound(let key, _):
      return .missing(key.stringValue)
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      guard let name = context.codingPath.last?.stringValue else { return notAnObject }
      return .badQuery(name, expected(name) ?? expected(type))
    case DecodingError.dataCorrupted(let context):
      guard let name = context.codingPath.last?.stringValue else { return notJSON }
      return .badQuery(name, expected(name) ?? Phrase(en: "of its form", fr: "de la bonne forme"))
    default:
      return notJSON
    }
  }

  private static let notAnObject = Refusal(
    400, .invalidInput,
    Phrase(en: "the body must be a JSON object", fr: "le corps doit être un objet JSON"))

  /// A number beyond all bounds is not told apart by the decoder.
  private static let notJSON = Refusal(
    400, .invalidInput,
    Phrase(
      en: "the body is not valid JSON, or holds a number that is too large",
      fr: "le corps n’est pas du JSON valable, ou contient un nombre trop grand"))

  /// What a field must be whose values are few.
  private static func expected(_ name: String) -> Phrase? {
    switch name {
    case "sensor":
      Phrase(
        en: "a chip id: twelve digits, 0–9 and A–F",
        fr: "un identifiant de capteur : douze chiffres, 0–9 et A–F")
    case "severity": oneOf(Severity.allCases.map(\.rawValue))
    case "operator": oneOf(RuleOperator.allCases.map(\.rawValue))
    default: nil
    }
  }

  private static func oneOf(_ words: [String]) -> Phrase {
    let list = words.joined(separator: ", ")
    return Phrase(en: "one of \(list)", fr: "l’un de \(list)")
  }

  private static func expected(_ type: any Any.Type) -> Phrase {
    switch type {
    case is Int.Type: Phrase(en: "a whole number", fr: "un nombre entier")
    case is Double.Type: Phrase(en: "a number", fr: "un nombre")
    case is Bool.Type: Phrase(en: "true or false", fr: "true ou false")
    default: Phrase(en: "a text", fr: "un texte")
    }
  }
}
