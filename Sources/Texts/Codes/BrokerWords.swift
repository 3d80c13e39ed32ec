import Domain

extension Code {
  /// The gateway's own connection to its broker, and the broker itself.
  static let brokerWords: [Code: CodeWords] = [
    .brokerUnreachable: CodeWords(
      Phrase(en: "The broker does not answer.", fr: "Le broker ne répond pas."),
      cause: Phrase(
        en: "It is stopped, its name does not resolve, or a firewall is in the way.",
        fr: "Il est arrêté, son nom est introuvable, ou un pare-feu bloque."),
      advice: Phrase(
        en: "Run: sudo systemctl status soundgate-broker — then: sudo soundgate broker check",
        fr: "Lancez : sudo systemctl status soundgate-broker — puis : sudo soundgate broker check"),
      part: .broker),
    .brokerTLS: CodeWords(
      Phrase(
        en: "The encrypted connection (TLS) to the broker failed.",
        fr: "La connexion chiffrée (TLS) au broker a échoué."),
      cause: Phrase(
        en: "The broker's certificate is not signed by the configured authority.",
        fr: "Le certificat du broker n’est pas signé par l’autorité configurée."),
      advice: Phrase(
        en: "Check [broker] ca, then: sudo soundgate broker check",
        fr: "Vérifiez [broker] ca, puis : sudo soundgate broker check"),
      part: .encryption),
    .brokerCertificateName: CodeWords(
      Phrase(
        en: "The broker's certificate is for another name.",
        fr: "Le certificat du broker porte un autre nom."),
      cause: Phrase(
        en: "The configured host is not among the certificate's names.",
        fr: "L’hôte configuré ne figure pas parmi les noms du certificat."),
      advice: Phrase(
        en: "Use a name of the certificate in [broker] host, or run: sudo soundgate broker setup",
        fr: "Mettez un nom du certificat dans [broker] host, ou lancez : "
          + "sudo soundgate broker setup"),
      part: .encryption),
    .brokerCertificateTime: CodeWords(
      Phrase(
        en: "The broker's certificate is not valid at this date.",
        fr: "Le certificat du broker n’est pas valable à cette date."),
      cause: Phrase(
        en: "This machine's clock is wrong, or the certificate has expired.",
        fr: "L’horloge de cette machine est fausse, ou le certificat a expiré."),
      advice: Phrase(
        en: "Check the clock: timedatectl — the connection follows by itself once it is right.",
        fr: "Vérifiez l’horloge : timedatectl — la connexion suivra d’elle-même."),
      part: .encryption),
    .brokerRefused: CodeWords(
      Phrase(
        en: "The broker refuses the gateway's account.",
        fr: "Le broker refuse le compte de la passerelle."),
      cause: Phrase(
        en: "User name or password is wrong, or the account store is damaged.",
        fr: "Nom ou mot de passe erroné, ou base de comptes abîmée."),
      advice: Phrase(
        en: "For the local broker: sudo soundgate broker setup — for a site's: check [broker] "
          + "user.",
        fr: "Broker local : sudo soundgate broker setup — broker du site : vérifiez [broker] "
          + "user."),
      part: .account),
    .subscriptionRefused: CodeWords(
      Phrase(
        en: "The broker refuses the subscription to readings.",
        fr: "Le broker refuse l’abonnement aux mesures."),
      cause: Phrase(
        en: "The account's access list does not allow devices/#.",
        fr: "Les droits du compte n’autorisent pas devices/#."),
      advice: Phrase(
        en: "Allow the account to subscribe to devices/#.",
        fr: "Autorisez le compte à s’abonner à devices/#.")),
    .clientClash: CodeWords(
      Phrase(
        en: "Another client uses this gateway's id at the broker.",
        fr: "Un autre client utilise l’identifiant de cette passerelle."),
      cause: Phrase(
        en: "A copy of this gateway (a cloned card?) is running.",
        fr: "Une copie de cette passerelle (carte clonée ?) fonctionne."),
      advice: Phrase(
        en: "Stop the other one, or delete its gateway id.",
        fr: "Arrêtez l’autre, ou effacez son identifiant de passerelle.")),
    .accountStoreDamaged: CodeWords(
      Phrase(
        en: "The broker's account store is missing, damaged or too old.",
        fr: "La base de comptes du broker manque, est abîmée ou trop ancienne."),
      cause: Phrase(
        en: "A full disk, a lost file or a restored backup; the broker is kept from starting, "
          + "because "
          + "refusals would erase the sensors' settings.",
        fr: "Disque plein, fichier perdu ou sauvegarde restaurée ; le broker est empêché de "
          + "démarrer, "
          + "car ses refus effaceraient les réglages des capteurs."),
      advice: Phrase(
        en: "Rebuild it: sudo soundgate broker setup",
        fr: "Reconstruisez-la : sudo soundgate broker setup")),
    .literalMoved: CodeWords(
      Phrase(
        en: "The address given to the sensors is no longer this machine's.",
        fr: "L’adresse donnée aux capteurs n’est plus celle de cette machine."),
      cause: Phrase(
        en: "The network gave the gateway another address; the sensors keep the old one.",
        fr: "Le réseau a donné une autre adresse à la passerelle ; les capteurs gardent "
          + "l’ancienne."),
      advice: Phrase(
        en: "Reserve the old address in the DHCP server, or set a fixed one.",
        fr: "Réservez l’ancienne adresse dans le serveur DHCP, ou fixez-la.")),
    .portTaken: CodeWords(
      Phrase(en: "Port 8883 is taken.", fr: "Le port 8883 est occupé."),
      cause: Phrase(
        en: "Another program listens on it.", fr: "Un autre programme y écoute."),
      advice: Phrase(
        en: "Move the other program; the sensors use TLS on port 8883 only.",
        fr: "Déplacez l’autre programme ; les capteurs n’utilisent TLS que sur le port 8883.")),
    .brokerNotSetUp: CodeWords(
      Phrase(
        en: "The local broker is not set up.", fr: "Le broker local n’est pas configuré."),
      cause: Phrase(
        en: "Its files or the daemon's credentials are missing.",
        fr: "Ses fichiers ou les identifiants du service manquent."),
      advice: Phrase(
        en: "Run: sudo soundgate broker setup", fr: "Lancez : sudo soundgate broker setup")),
    .atMostOnce: CodeWords(
      Phrase(
        en: "Readings may be lost at this broker (at most once).",
        fr: "Des mesures peuvent se perdre sur ce broker (au plus une fois)."),
      cause: Phrase(
        en: "It does not raise the sensors' QoS 0 messages to QoS 1.",
        fr: "Il ne relève pas en QoS 1 les messages QoS 0 des capteurs."),
      advice: Phrase(
        en: "Set upgrade_outgoing_qos on it, or use the local broker.",
        fr: "Activez-y upgrade_outgoing_qos, ou utilisez le broker local.")),
    .authorityUnreadable: CodeWords(
      Phrase(
        en: "The broker's CA file cannot be read.",
        fr: "Le fichier d’autorité (CA) du broker est illisible."),
      cause: Phrase(
        en: "The path is wrong, or the file is not a PEM certificate.",
        fr: "Le chemin est faux, ou le fichier n’est pas un certificat PEM."),
      advice: Phrase(
        en: "Correct [broker] ca and run: soundgate config check",
        fr: "Corrigez [broker] ca et lancez : soundgate config check")),
  ]
}
