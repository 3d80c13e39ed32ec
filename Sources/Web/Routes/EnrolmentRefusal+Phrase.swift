import Domain
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
}

extension NotAllowed {
  var phrase: Phrase {
    switch self {
    case .outOfSequence(let requested, let current):
      Phrase(
        en: "step \(requested.rawValue) cannot be validated: the enrolment is at step "
          + "\(current.rawValue)",
        fr: "l’étape \(requested.rawValue) ne peut être validée : l’enrôlement en est à l’étape "
          + "\(current.rawValue)")
    case .notYet(let step):
      Phrase(
        en: "step \(step.rawValue) is not ready to be validated",
        fr: "l’étape \(step.rawValue) n’est pas encore validable")
    case .inProgress:
      Phrase(
        en: "something is under way; try again in a few seconds",
        fr: "une opération est en cours ; réessayez dans quelques secondes")
    case .nothingToResume: Phrase(en: "there is nothing to resume", fr: "il n’y a rien à reprendre")
    case .ended: Phrase(en: "this enrolment has ended", fr: "cet enrôlement est terminé")
    }
  }
}

extension WiFiCredentials.Invalid {
  var phrase: Phrase {
    let field =
      field == .ssid
      ? Phrase(en: "the Wi-Fi name", fr: "le nom du Wi-Fi")
      : Phrase(en: "the Wi-Fi key", fr: "la clé Wi-Fi")
    let rule: Phrase =
      switch rule {
      case .empty:
        self.field == .ssid
          ? Phrase(en: "is empty", fr: "est vide")
          : Phrase(
            en: "is empty, and this sensor cannot join an open network",
            fr: "est vide, et ce capteur ne sait pas rejoindre un réseau ouvert")
      case .tooShort(let bytes):
        Phrase(
          en: "has \(bytes) bytes; it needs at least 8",
          fr: "compte \(bytes) octets ; il en faut "
            + "8")
      case .tooLong(let bytes):
        self.field == .ssid
          ? Phrase(
            en: "has \(bytes) bytes; at most 32 are possible",
            fr: "compte \(bytes) octets ; 32 au plus")
          : Phrase(
            en: "has \(bytes) bytes; at most 63 are possible, or 64 hexadecimal digits",
            fr: "compte \(bytes) octets ; 63 au plus, ou 64 chiffres hexadécimaux")
      case .notHexadecimal:
        Phrase(
          en: "has 64 bytes, which must then all be hexadecimal digits",
          fr: "compte 64 octets, qui doivent alors tous être des chiffres hexadécimaux")
      case .nul: Phrase(en: "contains a NUL byte", fr: "contient un octet nul")
      case .outerWhitespace:
        Phrase(
          en: "begins or ends with white space, which the sensor would drop",
          fr: "commence ou finit par une espace, que le capteur supprimerait")
      }
    return Phrase(
      en: "\(field.english) \(rule.english)", fr: "\(field.french) \(rule.french)")
  }
}
