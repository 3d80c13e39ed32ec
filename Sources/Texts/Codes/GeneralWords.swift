import Domain

extension Code {
  static let generalWords: [Code: CodeWords] = [
    .invalidInput: CodeWords(
      Phrase(en: "The input was refused.", fr: "La saisie a été refusée."),
      cause: Phrase(
        en: "A value is missing, misspelt or out of range.",
        fr: "Une valeur manque, est mal écrite ou hors limites."),
      advice: Phrase(
        en: "Correct what the message names and repeat the command.",
        fr: "Corrigez ce que le message indique et relancez la commande.")),
    .notFound: CodeWords(
      Phrase(en: "There is no such item.", fr: "Cet élément n’existe pas."),
      cause: Phrase(
        en: "The identifier is mistyped or the item was removed.",
        fr: "L’identifiant est mal saisi ou l’élément a été supprimé."),
      advice: Phrase(
        en: "List the items and copy the identifier from there.",
        fr: "Affichez la liste et recopiez-y l’identifiant.")),
    .outOfTurn: CodeWords(
      Phrase(
        en: "That step is not the one to be validated now.",
        fr: "Cette étape n’est pas celle à valider maintenant."),
      cause: Phrase(
        en: "The five steps are validated in order, each when it is ready.",
        fr: "Les cinq étapes se valident dans l’ordre, chacune lorsqu’elle est prête."),
      advice: Phrase(
        en: "Show the enrolment and validate the step it waits for.",
        fr: "Affichez l’enrôlement et validez l’étape attendue.")),
    .conflict: CodeWords(
      Phrase(
        en: "Something else is under way for this item.",
        fr: "Une autre opération est en cours pour cet élément."),
      cause: Phrase(
        en: "Another enrolment or another person is working on it.",
        fr: "Un autre enrôlement ou une autre personne s’en occupe."),
      advice: Phrase(
        en: "Wait until it ends, or cancel it (soundgate enrolments list).",
        fr: "Attendez la fin ou annulez (soundgate enrolments list).")),
    .invalidSSID: CodeWords(
      Phrase(en: "The Wi-Fi name was refused.", fr: "Le nom du Wi-Fi a été refusé."),
      cause: Phrase(
        en: "A Wi-Fi name has 1 to 32 bytes and no white space at either end.",
        fr: "Un nom de Wi-Fi fait de 1 à 32 octets, sans espace au début ni à la fin."),
      advice: Phrase(
        en: "Type the name exactly as the access point shows it.",
        fr: "Saisissez le nom exactement comme l’affiche le point d’accès.")),
    .invalidWiFiPassword: CodeWords(
      Phrase(en: "The Wi-Fi key was refused.", fr: "La clé Wi-Fi a été refusée."),
      cause: Phrase(
        en: "A key has 8 to 63 bytes, or 64 hexadecimal digits; this sensor cannot join an open "
          + "network.",
        fr: "Une clé fait de 8 à 63 octets, ou 64 chiffres hexadécimaux ; ce capteur ne sait pas "
          + "rejoindre un réseau ouvert."),
      advice: Phrase(
        en: "Type the key again, without white space at either end; use a WPA2 network.",
        fr: "Ressaisissez la clé, sans espace au début ni à la fin ; utilisez un réseau WPA2.")),
    .invalidSensorName: CodeWords(
      Phrase(en: "The sensor's name was refused.", fr: "Le nom du capteur a été refusé."),
      cause: Phrase(
        en: "A name has 1 to 64 characters, and neither control nor invisible formatting "
          + "characters.",
        fr: "Un nom fait de 1 à 64 caractères, sans caractère de contrôle ni de mise en forme "
          + "invisible."),
      advice: Phrase(en: "Choose another name.", fr: "Choisissez un autre nom.")),
    .configuration: CodeWords(
      Phrase(en: "The configuration is wrong.", fr: "La configuration est incorrecte."),
      cause: Phrase(
        en: "A key is unknown or a value cannot be used.",
        fr: "Une clé est inconnue ou une valeur inutilisable."),
      advice: Phrase(
        en: "Correct the line named and run: soundgate config check",
        fr: "Corrigez la ligne indiquée puis lancez : soundgate config check")),
    .daemonUnreachable: CodeWords(
      Phrase(
        en: "The SoundGate service does not answer.",
        fr: "Le service SoundGate ne répond "
          + "pas."),
      cause: Phrase(
        en: "It is not running, it hangs, or it listens on another socket.",
        fr: "Il n’est pas démarré, il est bloqué, ou il écoute sur une autre socket."),
      advice: Phrase(
        en:
          "Start it anew: sudo systemctl restart soundgate — and look at: journalctl -u soundgate",
        fr: "Redémarrez-le : sudo systemctl restart soundgate — et consultez : "
          + "journalctl -u soundgate")),
    .socketDenied: CodeWords(
      Phrase(
        en: "You may not talk to the SoundGate service.",
        fr: "Vous n’avez pas le droit de parler au service SoundGate."),
      cause: Phrase(
        en: "Only root and the group “soundgate” may.",
        fr: "Seuls root et le groupe « soundgate » le peuvent."),
      advice: Phrase(
        en: "Join the group: sudo adduser $USER soundgate — then log in again.",
        fr: "Rejoignez le groupe : sudo adduser $USER soundgate — puis reconnectez-vous.")),
    .internalFault: CodeWords(
      Phrase(en: "SoundGate made a mistake.", fr: "SoundGate a commis une erreur."),
      cause: Phrase(en: "A defect of ours.", fr: "Un défaut de notre fait."),
      advice: Phrase(
        en: "Please report it with the lines of: journalctl -u soundgate",
        fr: "Signalez-le avec les lignes de : journalctl -u soundgate")),
    .cancelled: CodeWords(
      Phrase(en: "It was cancelled.", fr: "L’opération a été annulée."),
      cause: Phrase(en: "Somebody asked for it.", fr: "Quelqu’un l’a demandé."),
      advice: Phrase(
        en: "Start again when you are ready.", fr: "Recommencez quand vous êtes prêt.")),
    .clockUnsynchronised: CodeWords(
      Phrase(
        en: "The machine's clock is not synchronised.",
        fr: "L’horloge de la machine n’est pas synchronisée."),
      cause: Phrase(
        en: "No time server has answered yet; a Raspberry Pi has no clock of its own.",
        fr: "Aucun serveur de temps n’a encore répondu ; un Raspberry Pi n’a pas d’horloge."),
      advice: Phrase(
        en: "Check: timedatectl — readings are kept; their times may be wrong until then.",
        fr: "Vérifiez : timedatectl — les mesures sont gardées ; leurs heures peuvent être fausses "
          + "d’ici là.")),
    .shuttingDown: CodeWords(
      Phrase(en: "The service is stopping.", fr: "Le service s’arrête."),
      cause: Phrase(
        en: "It was stopped or is being restarted.",
        fr: "Il a été arrêté ou redémarre."),
      advice: Phrase(
        en: "Wait a moment; an unfinished enrolment resumes where it stood.",
        fr: "Patientez ; un enrôlement inachevé reprend là où il en était.")),
    .leftAlone: CodeWords(
      Phrase(
        en: "The link to the sensor was closed because nothing was done for a while.",
        fr: "La liaison avec le capteur a été fermée faute d’action."),
      cause: Phrase(
        en: "A sensor whose link stays open cannot be reached by anybody else.",
        fr: "Un capteur dont la liaison reste ouverte n’est joignable par personne d’autre."),
      advice: Phrase(
        en: "Press the sensor's button briefly, then resume the enrolment.",
        fr: "Appuyez brièvement sur le bouton du capteur, puis reprenez l’enrôlement.")),
    .abandoned: CodeWords(
      Phrase(
        en: "The enrolment ended because nobody went on with it.",
        fr: "L’enrôlement a pris fin car personne ne l’a poursuivi."),
      cause: Phrase(
        en: "It had been waiting for a day.", fr: "Il était en attente depuis un jour."),
      advice: Phrase(en: "Begin a new enrolment.", fr: "Commencez un nouvel enrôlement.")),
    .alreadyRunning: CodeWords(
      Phrase(
        en: "Another SoundGate service is running.",
        fr: "Un autre service SoundGate est déjà en marche."),
      cause: Phrase(
        en: "It answers on the control socket that this one was to use.",
        fr: "Il répond sur la socket de commande prévue pour celui-ci."),
      advice: Phrase(
        en:
          "Stop it: sudo systemctl stop soundgate — or give this one another [control] socket and "
          + "[storage] directory.",
        fr: "Arrêtez-le : sudo systemctl stop soundgate — ou donnez à celui-ci une autre [control] "
          + "socket et un autre [storage] directory.")),
  ]
}
