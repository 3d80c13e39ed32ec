import Domain

extension NotAllowed {
  /// Why a step was refused.
  package var phrase: Phrase {
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
  /// Which of the two is refused and why; the text itself is never repeated.
  package var phrase: Phrase {
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
          en: "has \(bytes) \(bytes == 1 ? "byte" : "bytes"); it needs at least 8",
          fr: "compte \(bytes) \(bytes < 2 ? "octet" : "octets") ; il en faut 8")
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

extension SensorName.Invalid {
  /// Why a name is refused.
  package var phrase: Phrase { phrase(of: Phrase(en: "the name", fr: "le nom")) }

  /// Why a text that follows the rules of a name is refused.
  ///
  /// - Parameter subject: what the text is, such as “the label”.
  package func phrase(of subject: Phrase) -> Phrase {
    let (en, fr) = (subject.english, subject.french)
    return switch self {
    case .empty: Phrase(en: "\(en) is empty", fr: "\(fr) est vide")
    case .tooLong(let count):
      Phrase(
        en: "\(en) has \(count) characters; at most 64 (255 bytes) are possible",
        fr: "\(fr) compte \(count) caractères ; 64 au plus (255 octets)")
    case .controlCharacter:
      Phrase(
        en: "\(en) contains a control or invisible formatting character",
        fr: "\(fr) contient un caractère de contrôle ou de mise en forme invisible")
    }
  }
}

extension RuleDraft.Invalid {
  /// Why a draft makes no rule.
  package var phrase: Phrase {
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
      return invalid.phrase(of: Phrase(en: "the label", fr: "le libellé"))
    }
  }
}

extension InvalidURL {
  /// What is wrong with the address; the text itself, which may hold a password, is never repeated.
  package var phrase: Phrase {
    switch self {
    case .scheme:
      Phrase(
        en: "the address must begin with https:// or http://",
        fr: "l’adresse doit commencer par https:// ou http://")
    case .host:
      Phrase(
        en: "the host in the address is missing or can be no name and no IP address",
        fr: "l’hôte de l’adresse manque ou n’est ni un nom ni une adresse IP possibles")
    case .port:
      Phrase(
        en: "the port in the address must be 1 to 65535",
        fr: "le port de l’adresse doit être compris entre 1 et 65535")
    case .credentials:
      Phrase(
        en: "the address must not hold a user name or a password; alerts are signed with the "
          + "secret instead",
        fr: "l’adresse ne doit contenir ni nom d’utilisateur ni mot de passe ; les alertes sont "
          + "signées avec le secret")
    case .text:
      Phrase(
        en: "the address holds white space, or a character that must be written as %XX",
        fr: "l’adresse contient une espace, ou un caractère à écrire sous la forme %XX")
    case .length:
      Phrase(
        en: "the address is longer than 2000 bytes", fr: "l’adresse dépasse 2000 octets")
    case .form:
      Phrase(en: "the address is not well formed", fr: "l’adresse est mal formée")
    }
  }

  /// What an address looks like.
  package static let advice = Phrase(
    en: "an address looks like https://alerts.example.org:8443/hook or http://[fd00::5]/hook",
    fr: "une adresse ressemble à https://alertes.example.org:8443/hook ou http://[fd00::5]/hook")
}
