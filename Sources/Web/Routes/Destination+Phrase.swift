import Services
import Texts

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
