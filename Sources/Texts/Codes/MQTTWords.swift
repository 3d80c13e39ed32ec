import Domain

extension Code {
  /// The legs between a sensor on the network and its first reading.
  static let mqttWords: [Code: CodeWords] = [
    .sensorUnreachable: CodeWords(
      Phrase(
        en: "The sensor is on the Wi-Fi, but never reached the broker.",
        fr: "Le capteur est sur le Wi-Fi, mais n’a jamais atteint le broker."),
      cause: Phrase(
        en: "Client isolation, a firewall, a captive portal, another VLAN, or a wrong address.",
        fr: "Isolation des clients, pare-feu, portail captif, autre VLAN, ou mauvaise adresse."),
      advice: Phrase(
        en: "From a phone on the same Wi-Fi, try to reach the gateway; allow TCP 8883 to it; "
          + "disable "
          + "client isolation.",
        fr: "Depuis un téléphone sur le même Wi-Fi, joignez la passerelle ; autorisez TCP 8883 "
          + "vers "
          + "elle ; désactivez l’isolation des clients."),
      part: .broker),
    .sensorTLS: CodeWords(
      Phrase(
        en: "The sensor reached the broker, but the encryption (TLS) failed.",
        fr: "Le capteur a atteint le broker, mais le chiffrement (TLS) a échoué."),
      cause: Phrase(
        en: "The broker does not offer TLS 1.2, or was given by a name whose certificate the "
          + "sensor "
          + "does not accept.",
        fr: "Le broker n’offre pas TLS 1.2, ou a été donné par un nom dont le capteur n’accepte "
          + "pas "
          + "le certificat."),
      advice: Phrase(
        en: "Give the broker as an IPv4 address and enable TLS 1.2: sudo soundgate broker check",
        fr: "Donnez le broker par son adresse IPv4 et activez TLS 1.2 : sudo soundgate broker "
          + "check"),
      part: .encryption),
    .sensorRefused: CodeWords(
      Phrase(
        en: "The broker refused the sensor's account.",
        fr: "Le broker a refusé le compte du capteur."),
      cause: Phrase(
        en: "The sensor holds a partial set of values, or was enrolled elsewhere meanwhile.",
        fr: "Le capteur détient un jeu de valeurs partiel, ou a été enrôlé ailleurs entre-temps."),
      advice: Phrase(
        en: "Wait one minute, press its button again and resume the enrolment.",
        fr: "Attendez une minute, appuyez de nouveau sur le bouton et reprenez l’enrôlement."),
      part: .account),
    .sensorRefusedOrTLS: CodeWords(
      Phrase(
        en: "The sensor reached the broker and was refused, or the encryption (TLS) failed.",
        fr: "Le capteur a atteint le broker et a été refusé, ou le chiffrement (TLS) a échoué."),
      cause: Phrase(
        en: "The broker's log does not tell which sensor it refused.",
        fr: "Le journal du broker ne dit pas quel capteur a été refusé."),
      advice: Phrase(
        en: "Wait one minute, press its button and resume; if it repeats: sudo soundgate broker "
          + "check",
        fr: "Attendez une minute, appuyez sur le bouton et reprenez ; si cela se répète : "
          + "sudo soundgate broker check"),
      part: .account),
    .noFirstReading: CodeWords(
      Phrase(
        en: "No first reading has come from the sensor.",
        fr: "Aucune première mesure n’est venue du capteur."),
      cause: Phrase(
        en: "It may still be restarting, or it logged in and publishes nothing.",
        fr: "Il redémarre peut-être encore, ou s’est connecté sans rien publier."),
      advice: Phrase(
        en: "Wait one minute: a late reading still counts. If it must be repeated, press its "
          + "button "
          + "and resume the enrolment.",
        fr: "Attendez une minute : une mesure tardive compte encore. S’il faut recommencer, "
          + "appuyez "
          + "sur le bouton et reprenez l’enrôlement."),
      part: .firstReading),
    .accountFailed: CodeWords(
      Phrase(
        en: "The sensor's broker account could not be made or tried.",
        fr: "Le compte du capteur sur le broker n’a pas pu être créé ou essayé."),
      cause: Phrase(
        en: "The broker is down, or its account store is damaged.",
        fr: "Le broker est arrêté, ou sa base de comptes est abîmée."),
      advice: Phrase(
        en: "Run: sudo soundgate broker check — nothing has been written to the sensor's broker "
          + "settings.",
        fr: "Lancez : sudo soundgate broker check — rien n’a été écrit dans les réglages du "
          + "capteur."),
      part: .account),
    .publishFailed: CodeWords(
      Phrase(
        en: "The command could not be sent to the sensor.",
        fr: "La commande n’a pas pu être envoyée au capteur."),
      cause: Phrase(
        en: "The broker connection is down.", fr: "La connexion au broker est coupée."),
      advice: Phrase(
        en: "Look at: soundgate status", fr: "Consultez : soundgate status"),
      part: .broker),
    .sensorSilent: CodeWords(
      Phrase(
        en: "The command was sent, but the sensor did not answer.",
        fr: "La commande est partie, mais le capteur n’a pas répondu."),
      cause: Phrase(
        en: "It is switched off, has lost its Wi-Fi, or is enrolled elsewhere.",
        fr: "Il est éteint, a perdu son Wi-Fi, ou est enrôlé ailleurs."),
      advice: Phrase(
        en:
          "See whether it is online: soundgate sensors — else hold its button for 2 seconds right "
          + "after power-up, which does the same.",
        fr: "Voyez s’il est en ligne : soundgate sensors — sinon, maintenez son bouton 2 secondes "
          + "juste après la mise sous tension, ce qui revient au même.")),
  ]
}
