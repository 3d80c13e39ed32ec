import Domain

/// The words of the audit log (`Enrolment.State.word` and its like) for people. English shows them as
/// they are, so that they can be looked for in the log; a word that is not known here is shown as it
/// is in both.
package enum EnrolmentWords {
  /// Where an enrolment stands.
  ///
  /// - Parameter isCancelled: a failure that a person asked for.
  package static func state(_ word: String, isCancelled: Bool = false) -> Phrase {
    if isCancelled { return Phrase(en: "cancelled", fr: "annulé") }
    return Phrase(en: word, fr: states[word] ?? word)
  }

  /// What made it go on: the word of a command or an event, then details such as a code.
  package static func cause(_ text: String) -> Phrase {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard let word = parts.first, let cause = causes[word] else {
      return Phrase(en: text, fr: text)
    }
    guard parts.count > 1 else { return Phrase(en: text, fr: cause) }
    guard word == "deadline-passed" else { return Phrase(en: text, fr: "\(cause) \(parts[1])") }
    var details = parts[1].split(separator: " ", maxSplits: 1).map(String.init)
    if let name = details.first, let deadline = deadlines[name] { details[0] = deadline }
    return Phrase(en: text, fr: ([cause] + details).joined(separator: " "))
  }

  /// Who made it go on: a person's login name, else the gateway or the sensor.
  package static func actor(_ name: String) -> Phrase {
    let names = ["gateway": "passerelle", "sensor": "capteur"]
    return Phrase(en: name, fr: names[name] ?? name)
  }

  private static let states = [
    "scanning": "recherche", "parked": "en pause", "connecting": "connexion",
    "awaiting-wifi": "Wi-Fi demandé", "writing-wifi": "envoi du Wi-Fi",
    "joining-wifi": "entrée au Wi-Fi", "joined": "Wi-Fi rejoint",
    "opening-account": "création compte", "awaiting-account": "compte attendu",
    "writing-mqtt": "envoi du MQTT", "awaiting-reading": "mesure attendue",
    "heard": "mesure reçue", "awaiting-name": "nom demandé", "completed": "terminé",
    "failed": "échec",
  ]

  private static let causes = [
    "begin": "début", "choose": "choix du capteur", "send-wifi": "Wi-Fi donné",
    "accept-wifi": "Wi-Fi accepté", "accept-reading": "mesure acceptée", "register": "nom donné",
    "resume": "reprise", "cancel": "annulation", "scan-failed": "recherche échouée",
    "link-opened": "liaison ouverte", "link-failed": "liaison échouée",
    "link-lost": "liaison perdue", "wifi-written": "Wi-Fi envoyé",
    "wifi-write-failed": "envoi du Wi-Fi échoué", "status-heard": "état annoncé",
    "account-reserved": "compte réservé", "account-opened": "compte ouvert",
    "account-failed": "compte échoué", "mqtt-delivered": "MQTT envoyé",
    "mqtt-write-failed": "envoi du MQTT échoué", "reading-stored": "mesure enregistrée",
    "deadline-passed": "délai écoulé :", "progress-damaged": "avancement abîmé",
  ]

  private static let deadlines = [
    "scan": "recherche", "connect": "connexion", "wifi": "Wi-Fi",
    "first-reading": "première mesure", "attention": "réponse attendue", "parked": "pause",
  ]
}
