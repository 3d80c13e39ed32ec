import Domain

extension Code {
  /// The link to one sensor and what is read and written over it.
  static let gattWords: [Code: CodeWords] = [
    .connectTimeout: CodeWords(
      Phrase(
        en: "The sensor did not accept the connection in time.",
        fr: "Le capteur n’a pas accepté la connexion à temps."),
      cause: Phrase(
        en: "Weak signal, interference, or its window closed.",
        fr: "Signal faible, interférences, ou fenêtre refermée."),
      advice: Phrase(
        en: "Come closer, press its button again and retry.",
        fr: "Rapprochez-vous, appuyez de nouveau sur le bouton et réessayez."),
      part: .link),
    .connectFailed: CodeWords(
      Phrase(
        en: "The connection to the sensor failed.", fr: "La connexion au capteur a échoué."),
      cause: Phrase(
        en: "Interference, a weak signal, or another device is connected to it.",
        fr: "Interférences, signal faible, ou un autre appareil y est connecté."),
      advice: Phrase(
        en: "Come closer, keep phones with the vendor's app away, and retry.",
        fr: "Rapprochez-vous, éloignez les téléphones munis de l’application, et réessayez."),
      part: .link),
    .linkLost: CodeWords(
      Phrase(en: "The link to the sensor was lost.", fr: "La liaison avec le capteur est perdue."),
      cause: Phrase(
        en: "Out of range, power lost, or the sensor restarted.",
        fr: "Hors de portée, coupure d’alimentation, ou redémarrage du capteur."),
      advice: Phrase(
        en: "Stay close, press its button if the LED no longer blinks, and resume the enrolment.",
        fr: "Restez proche, appuyez sur le bouton si la LED ne clignote plus, et reprenez "
          + "l’enrôlement."),
      part: .link),
    .servicesUnresolved: CodeWords(
      Phrase(
        en: "The sensor's services did not appear in time.",
        fr: "Les services du capteur ne sont pas apparus à temps."),
      cause: Phrase(
        en: "A weak link, or the Bluetooth service is stuck.",
        fr: "Liaison faible, ou service Bluetooth bloqué."),
      advice: Phrase(
        en: "Retry; if it repeats: sudo systemctl restart bluetooth",
        fr: "Réessayez ; si cela se répète : sudo systemctl restart bluetooth"),
      part: .services),
    .characteristicMissing: CodeWords(
      Phrase(
        en: "The sensor lacks a function that enrolment needs.",
        fr: "Il manque au capteur une fonction nécessaire à l’enrôlement."),
      cause: Phrase(
        en: "Its firmware is not compatible, or published an incomplete table.",
        fr: "Son firmware n’est pas compatible, ou a publié une table incomplète."),
      advice: Phrase(
        en: "Power-cycle the sensor and retry; if it stays, its firmware must be updated.",
        fr: "Coupez puis remettez l’alimentation et réessayez ; sinon son firmware doit être "
          + "mis à jour."),
      part: .services),
    .subscriptionFailed: CodeWords(
      Phrase(
        en: "The sensor's status could not be followed.",
        fr: "Le suivi de l’état du capteur a échoué."),
      cause: Phrase(
        en: "The sensor refused the subscription to its Wi-Fi status.",
        fr: "Le capteur a refusé l’abonnement à son état Wi-Fi."),
      advice: Phrase(
        en: "Power-cycle the sensor and retry.",
        fr: "Coupez puis remettez l’alimentation du capteur et réessayez."),
      part: .services),
    .readFailed: CodeWords(
      Phrase(
        en: "A value could not be read from the sensor.",
        fr: "Une valeur n’a pas pu être lue sur le capteur."),
      cause: Phrase(en: "The link is unstable.", fr: "La liaison est instable."),
      advice: Phrase(en: "Come closer and retry.", fr: "Rapprochez-vous et réessayez."),
      part: .services),
    .writeRefused: CodeWords(
      Phrase(en: "The sensor refused a value.", fr: "Le capteur a refusé une valeur."),
      cause: Phrase(
        en: "The write was rejected, or the value is too long for the link.",
        fr: "L’écriture a été rejetée, ou la valeur est trop longue pour la liaison."),
      advice: Phrase(
        en: "Retry; if it repeats, power-cycle the sensor.",
        fr: "Réessayez ; si cela se répète, coupez puis remettez l’alimentation."),
      part: .write),
    .operationTimeout: CodeWords(
      Phrase(
        en: "The sensor did not acknowledge in time.",
        fr: "Le capteur n’a pas acquitté à temps."),
      cause: Phrase(
        en: "The sensor went out of range or fell silent during an operation.",
        fr: "Le capteur est sorti de portée ou s’est tu pendant une opération."),
      advice: Phrase(
        en: "Come closer, press its button and resume the enrolment.",
        fr: "Rapprochez-vous, appuyez sur le bouton et reprenez l’enrôlement."),
      part: .write),
    .chipMismatch: CodeWords(
      Phrase(
        en: "The sensor's chip id is not the one in its name.",
        fr: "L’identifiant du capteur n’est pas celui de son nom."),
      cause: Phrase(
        en: "Another device uses the name, or the sensor is faulty.",
        fr: "Un autre appareil porte ce nom, ou le capteur est défectueux."),
      advice: Phrase(
        en: "Choose the sensor again by its address; do not enrol it if this repeats.",
        fr: "Choisissez de nouveau le capteur par son adresse ; ne l’enrôlez pas si cela se "
          + "répète."),
      part: .services),
    .partialMQTTWrite: CodeWords(
      Phrase(
        en: "The link was lost before all four broker values were written.",
        fr: "La liaison a été perdue avant l’écriture des quatre valeurs du broker."),
      cause: Phrase(
        en: "The sensor kept what it had received and switched its radio off.",
        fr: "Le capteur a gardé ce qu’il a reçu et a éteint sa radio."),
      advice: Phrase(
        en: "Wait one minute, press its button again and resume the enrolment.",
        fr: "Attendez une minute, appuyez de nouveau sur le bouton et reprenez l’enrôlement."),
      part: .write),
  ]
}
