import Domain
import FoundationEssentials
import Services
import Texts

extension EnrolmentRefusal {
  /// Why, in words; never a secret.
  var phrase: Phrase {
    switch self {
    case .notFound: Phrase(en: "there is no such enrolment", fr: "cet enrôlement n’existe pas")
    case .noSuchStep(let step):
      Phrase(en: "there is no step \(step); steps are 1 to 5", fr: "pas d’étape \(step) ; 1 à 5")
    case .notAllowed(let reason): reason.phrase
    case .wifi(let invalid): invalid.phrase
    case .name(let invalid): invalid.phrase
    case .wrongInput(let step):
      Phrase(
        en: "step \(step.rawValue) does not take that input",
        fr: "l’étape \(step.rawValue) n’accepte pas cette saisie")
    case .noSavedKey:
      Phrase(
        en: "no key was given, and none is saved for this network",
        fr: "aucune clé donnée, et aucune n’est enregistrée pour ce réseau")
    case .ambiguous(let addresses):
      Phrase(
        en: "several sensors bear that chip id; choose one by its address: "
          + addresses.map(\.text).joined(separator: ", "),
        fr: "plusieurs capteurs portent cet identifiant ; choisissez par l’adresse : "
          + addresses.map(\.text).joined(separator: ", "))
    case .taken(let other):
      Phrase(
        en: "another enrolment of this sensor is under way: \(other.lowercaseText)",
        fr: "un autre enrôlement de ce capteur est en cours : \(other.lowercaseText)")
    case .linksBusy: code.words.title
    case .tooMany:
      Phrase(
        en: "too many enrolments are under way", fr: "trop d’enrôlements sont en cours")
    case .alreadyOnline(let sensor, _):
      Phrase(
        en: "sensor \(sensor) is online, so its Bluetooth is off",
        fr: "le capteur \(sensor) est en ligne, donc son Bluetooth est éteint")
    case .fault(let fault): fault.code.words.title
    }
  }
  /// What to do.
  var hint: Phrase? {
    let other: UUID
    switch self {
    case .linksBusy(let holder), .taken(let holder): other = holder
    case .notAllowed(.ended):
      return Phrase(
        en: "Begin another: soundgate enrol", fr: "Commencez-en un autre : soundgate enrol")
    default: return code.words.advice
    }
    let id = other.lowercaseText.prefix(8)
    return Phrase(
      en: "Finish enrolment \(id): soundgate enrolments resume \(id) — or give it up: soundgate "
        + "enrolments cancel \(id)",
      fr: "Finissez l’enrôlement \(id) : soundgate enrolments resume \(id) — ou abandonnez-le : "
        + "soundgate enrolments cancel \(id)")
  }
}
