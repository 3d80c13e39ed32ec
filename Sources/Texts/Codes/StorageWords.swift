import Domain

extension Code {
  static let storageWords: [Code: CodeWords] = [
    .storeUnopened: CodeWords(
      Phrase(
        en: "The state directory or its database cannot be opened.",
        fr: "Le répertoire d’état ou sa base de données ne s’ouvre pas."),
      cause: Phrase(
        en: "The directory is missing or belongs to another user.",
        fr: "Le répertoire manque ou appartient à un autre utilisateur."),
      advice: Phrase(
        en: "Check [storage] directory and its owner (soundgate).",
        fr: "Vérifiez [storage] directory et son propriétaire (soundgate).")),
    .storeFull: CodeWords(
      Phrase(en: "The disk is full.", fr: "Le disque est plein."),
      cause: Phrase(
        en: "No space is left for the state directory and its database.",
        fr: "Il ne reste plus de place pour le répertoire d’état et sa base de données."),
      advice: Phrase(
        en:
          "Free at least 32 MB (df -h); a running service then stores again by itself, one that did not "
          + "start is started by systemd.",
        fr:
          "Libérez au moins 32 Mo (df -h) ; un service en marche enregistrera de nouveau de lui-même, "
          + "et systemd démarrera celui qui n’a pas pu.")),
    .storeReadOnly: CodeWords(
      Phrase(
        en: "The state directory or its database cannot be written.",
        fr: "Le répertoire d’état ou sa base de données n’est pas inscriptible."),
      cause: Phrase(
        en: "The file system became read-only (a failing SD card?), or the file's rights are "
          + "wrong.",
        fr: "Le système de fichiers est passé en lecture seule (carte SD défaillante ?), ou les "
          + "droits du fichier sont faux."),
      advice: Phrase(
        en: "Check with: mount | grep ' ro,' and dmesg — replace the card if it fails.",
        fr: "Vérifiez avec : mount | grep ' ro,' et dmesg — remplacez la carte si elle lâche.")),
    .storeDamaged: CodeWords(
      Phrase(en: "The database was damaged.", fr: "La base de données était abîmée."),
      cause: Phrase(
        en: "A power cut, a failing card, or a truncated copy.",
        fr: "Coupure de courant, carte défaillante, ou copie tronquée."),
      advice: Phrase(
        en: "The damaged file was set aside beside the new one; restore a backup if there is one.",
        fr: "Le fichier abîmé a été mis de côté près du nouveau ; restaurez une sauvegarde s’il y "
          + "en "
          + "a une.")),
    .storeBusy: CodeWords(
      Phrase(en: "The database is locked.", fr: "La base de données est verrouillée."),
      cause: Phrase(
        en: "Another program holds it.", fr: "Un autre programme la retient."),
      advice: Phrase(
        en: "Close sqlite3 or the copy that is under way; it is tried again by itself.",
        fr: "Fermez sqlite3 ou la copie en cours ; un nouvel essai est automatique.")),
    .storeNewer: CodeWords(
      Phrase(
        en: "The database was made by a newer SoundGate.",
        fr: "La base de données vient d’une version plus récente de SoundGate."),
      cause: Phrase(
        en: "An older program was installed over a newer one.",
        fr: "Un programme plus ancien a été installé par-dessus un plus récent."),
      advice: Phrase(
        en: "Install the newer version again.", fr: "Réinstallez la version plus récente.")),
    .storeWrite: CodeWords(
      Phrase(
        en: "A write to the database failed.",
        fr: "Une écriture dans la base de données a "
          + "échoué."),
      cause: Phrase(
        en: "The disk reported an error.", fr: "Le disque a signalé une erreur."),
      advice: Phrase(
        en: "Look at: dmesg and journalctl -u soundgate",
        fr: "Consultez : dmesg et journalctl -u soundgate")),
    .sealKey: CodeWords(
      Phrase(
        en: "The key that seals secrets cannot be used.",
        fr: "La clé qui scelle les secrets est inutilisable."),
      cause: Phrase(
        en: "seal.key is missing, has the wrong size, or belongs to another machine.",
        fr: "seal.key manque, n’a pas la bonne taille, ou vient d’une autre machine."),
      advice: Phrase(
        en: "Restore seal.key from the backup; else saved secrets must be entered again.",
        fr: "Restaurez seal.key depuis la sauvegarde ; sinon les secrets sont à ressaisir.")),
    .progressDamaged: CodeWords(
      Phrase(
        en: "The enrolment's saved progress is missing or damaged.",
        fr: "La progression enregistrée de l’enrôlement manque ou est abîmée."),
      cause: Phrase(
        en: "A write failed earlier, or the database was restored.",
        fr: "Une écriture a échoué auparavant, ou la base a été restaurée."),
      advice: Phrase(
        en: "Enrol the sensor again; its history and its name are kept.",
        fr: "Enrôlez de nouveau le capteur ; son historique et son nom sont conservés.")),
  ]

  static let backendWords: [Code: CodeWords] = [
    .backendUnreachable: CodeWords(
      Phrase(en: "The backend does not answer.", fr: "Le serveur distant ne répond pas."),
      cause: Phrase(
        en: "No uplink, a name that does not resolve, or a closed port.",
        fr: "Pas d’accès Internet, nom introuvable, ou port fermé."),
      advice: Phrase(
        en: "Check the network; alerts are kept and sent later.",
        fr: "Vérifiez le réseau ; les alertes sont gardées et envoyées plus tard.")),
    .backendTimeout: CodeWords(
      Phrase(
        en: "The backend did not answer in time.",
        fr: "Le serveur distant n’a pas répondu à "
          + "temps."),
      cause: Phrase(
        en: "It is overloaded, or the uplink is slow.",
        fr: "Il est surchargé, ou la liaison est lente."),
      advice: Phrase(
        en: "Nothing to do: alerts are kept and sent again.",
        fr: "Rien à faire : les alertes sont gardées et renvoyées.")),
    .backendTLS: CodeWords(
      Phrase(
        en: "The backend's certificate is not accepted.",
        fr: "Le certificat du serveur distant n’est pas accepté."),
      cause: Phrase(
        en: "Expired, for another name, or this machine's clock is wrong.",
        fr: "Expiré, pour un autre nom, ou horloge de cette machine fausse."),
      advice: Phrase(
        en: "Check the address and the clock (timedatectl).",
        fr: "Vérifiez l’adresse et l’horloge (timedatectl).")),
    .backendRefused: CodeWords(
      Phrase(en: "The backend refuses an alert.", fr: "Le serveur distant refuse une alerte."),
      cause: Phrase(
        en: "The address, the secret or the format is not what it expects.",
        fr: "L’adresse, le secret ou le format n’est pas celui attendu."),
      advice: Phrase(
        en: "Check: soundgate backend show — then: soundgate backend retry",
        fr: "Vérifiez : soundgate backend show — puis : soundgate backend retry")),
    .backendFailing: CodeWords(
      Phrase(
        en: "The backend reports an error of its own.",
        fr: "Le serveur distant signale une erreur interne."),
      cause: Phrase(en: "It answers 5xx.", fr: "Il répond 5xx."),
      advice: Phrase(
        en: "Nothing to do here: alerts are kept and sent again.",
        fr: "Rien à faire ici : les alertes sont gardées et renvoyées.")),
    .backendBusy: CodeWords(
      Phrase(
        en: "The backend asks to wait.", fr: "Le serveur distant demande d’attendre."),
      cause: Phrase(
        en: "Too many requests (429), or a pause it asked for.",
        fr: "Trop de requêtes (429), ou une pause qu’il a demandée."),
      advice: Phrase(
        en: "Nothing to do: it is tried again when it said.",
        fr: "Rien à faire : un nouvel essai a lieu au moment indiqué.")),
    .undelivered: CodeWords(
      Phrase(
        en: "Alerts were given up after seven days.",
        fr: "Des alertes ont été abandonnées après sept jours."),
      cause: Phrase(
        en: "The backend did not take them in that time.",
        fr: "Le serveur distant ne les a pas prises dans ce délai."),
      advice: Phrase(
        en: "They remain in the alert list: soundgate alerts list",
        fr: "Elles restent dans la liste des alertes : soundgate alerts list")),
    .backendUnset: CodeWords(
      Phrase(
        en: "No backend is configured.", fr: "Aucun serveur distant n’est configuré."),
      cause: Phrase(
        en: "Alerts are kept here and go nowhere.",
        fr: "Les alertes sont gardées ici et ne partent nulle part."),
      advice: Phrase(
        en: "Set one: soundgate backend set URL",
        fr: "Indiquez-en un : soundgate backend set URL")),
  ]
}
