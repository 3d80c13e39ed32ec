import Domain

extension Code {
  /// The reasons that matter in the field, and ours (`docs/sensor-profile.md`, "Wi-Fi reasons").
  static let wifiWords: [Code: CodeWords] = {
    var table: [Code: CodeWords] = [
      .noAddress: CodeWords(
        Phrase(
          en: "The key is right, but the network gave the sensor no address.",
          fr: "La clé est bonne, mais le réseau n’a pas donné d’adresse au capteur."),
        cause: Phrase(
          en: "The DHCP server does not answer: pool exhausted, wrong VLAN, client isolation.",
          fr: "Le serveur DHCP ne répond pas : plage épuisée, mauvais VLAN, isolation des "
            + "clients."),
        advice: Phrase(
          en: "Check the DHCP server and its address pool; check the VLAN of this Wi-Fi name.",
          fr: "Vérifiez le serveur DHCP et sa plage d’adresses ; vérifiez le VLAN de ce Wi-Fi."),
        part: .addressing),
      .wifiNotStarted: CodeWords(
        Phrase(
          en: "The sensor has not started to join the network.",
          fr: "Le capteur n’a pas commencé à rejoindre le réseau."),
        cause: Phrase(
          en: "It is still trying the network it had before, or it did not take the values.",
          fr: "Il essaie encore son ancien réseau, ou n’a pas pris les valeurs."),
        advice: Phrase(
          en: "Give the credentials again; if it repeats, power-cycle the sensor.",
          fr: "Redonnez les identifiants ; si cela se répète, coupez puis remettez "
            + "l’alimentation."),
        part: .association),
      .wifiSilence: CodeWords(
        Phrase(
          en: "The sensor said nothing after it started to join.",
          fr: "Le capteur n’a plus rien dit après avoir commencé à rejoindre le réseau."),
        cause: Phrase(
          en: "The network is out of reach, or the name or key is too long for the sensor.",
          fr: "Réseau hors de portée, ou nom ou clé trop longs pour le capteur."),
        advice: Phrase(
          en: "Check name and key, come closer to the access point and try again.",
          fr: "Vérifiez le nom et la clé, rapprochez-vous du point d’accès et réessayez."),
        part: .accessPoint),
      .wifiInputRefused: CodeWords(
        Phrase(
          en: "The sensor refused the Wi-Fi name or key.",
          fr: "Le capteur a refusé le nom ou la clé du Wi-Fi."),
        cause: Phrase(
          en: "The key is shorter than 8 characters, or the network is open.",
          fr: "La clé compte moins de 8 caractères, ou le réseau est ouvert."),
        advice: Phrase(
          en: "This sensor needs a WPA2 network with a key of 8 characters or more.",
          fr: "Ce capteur exige un réseau WPA2 avec une clé d’au moins 8 caractères."),
        part: .key),
    ]
    let wrongKey = Phrase(
      en: "The Wi-Fi key was not accepted (wrong password, most likely).",
      fr: "La clé Wi-Fi n’a pas été acceptée (mot de passe erroné, très probablement).")
    let retype = Phrase(
      en: "Type the key again, minding case and spaces at the ends; come closer; set the access "
        + "point to WPA2-PSK (AES).",
      fr: "Ressaisissez la clé, attention à la casse et aux espaces ; rapprochez-vous ; réglez le "
        + "point d’accès sur WPA2-PSK (AES).")
    for (reason, symbol) in [(15, "4WAY_HANDSHAKE_TIMEOUT"), (204, "HANDSHAKE_TIMEOUT")] {
      table[.wifi(reason: reason)] = CodeWords(
        wrongKey,
        cause: Phrase(
          en: "Wrong password; less often a weak signal or a WPA3/PMF incompatibility.",
          fr: "Mot de passe erroné ; plus rarement signal faible ou incompatibilité WPA3/PMF."),
        advice: retype, symbol: symbol, part: .key)
    }
    for row in fieldReasons {
      table[.wifi(reason: row.reason)] = CodeWords(
        row.title, cause: row.cause, advice: row.advice, symbol: row.symbol, part: row.part)
    }
    return table
  }()
}

/// One row of the field table of Wi-Fi disconnect reasons.
struct WiFiReason {
  let reason: Int
  let symbol: String
  let part: BrokenPart
  let title: Phrase
  let cause: Phrase
  let advice: Phrase

  init(
    _ reason: Int, _ symbol: String, _ part: BrokenPart, _ title: Phrase, _ cause: Phrase,
    _ advice: Phrase
  ) {
    self.reason = reason
    self.symbol = symbol
    self.part = part
    self.title = title
    self.cause = cause
    self.advice = advice
  }
}
