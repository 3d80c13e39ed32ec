import Domain
import Services
import Texts

extension SensorName.Invalid {
  var phrase: Phrase {
    switch self {
    case .empty: Phrase(en: "the name is empty", fr: "le nom est vide")
    case .tooLong(let count):
      Phrase(
        en: "the name has \(count) characters; at most 64 (255 bytes) are possible",
        fr: "le nom compte \(count) caractères ; 64 au plus (255 octets)")
    case .controlCharacter:
      Phrase(
        en: "the name contains a control character", fr: "le nom contient un caractère de contrôle")
    }
  }
}

extension RuleDraft.Invalid {
  var phrase: Phrase {
    switch self {
    case .unknownTemplate:
      let names = RuleTemplate.all.map(\.id).joined(separator: ", ")
      return Phrase(
        en: "there is no such template; templates are \(names)",
        fr: "ce modèle n’existe pas ; les modèles sont \(names)")
    case .notCalibrated:
      return Phrase(
        en: "this template needs a calibrated sensor", fr: "ce modèle exige un capteur étalonné")
    case .notFinite:
      return Phrase(
        en: "the threshold is not a number", fr: "le seuil n’est pas un nombre")
    case .label(let invalid):
      return Phrase(
        en: "the label cannot be used: \(invalid.phrase.english)",
        fr: "le libellé est inutilisable : \(invalid.phrase.french)")
    }
  }
}

extension Destination.Invalid {
  var phrase: Phrase {
    switch self {
    case .scheme:
      Phrase(
        en: "the address must begin with https:// or http://",
        fr: "l’adresse doit commencer par https:// ou http://")
    case .host: Phrase(en: "the address names no host", fr: "l’adresse ne nomme aucun hôte")
    case .credentials:
      Phrase(
        en: "the address must not hold a user name or a password",
        fr: "l’adresse ne doit contenir ni nom d’utilisateur ni mot de passe")
    case .text:
      Phrase(
        en: "the address holds white space or is too long",
        fr: "l’adresse contient une espace ou est trop longue")
    }
  }
}
