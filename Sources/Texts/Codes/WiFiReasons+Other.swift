import Domain

extension Code {
  /// The rest of the field table.
  static let otherReasons: [WiFiReason] = [
    WiFiReason(
      17, "IE_IN_4WAY_DIFFERS", .association,
      Phrase(
        en: "The access point contradicts its own announcement.",
        fr: "Le point d’accès contredit sa propre annonce."),
      Phrase(
        en: "A misconfigured access point or repeater, or roaming features.",
        fr: "Point d’accès ou répéteur mal configuré, ou fonctions d’itinérance."),
      Phrase(
        en: "Disable 802.11r and update the access point.",
        fr: "Désactivez 802.11r et mettez à jour le point d’accès.")),
    WiFiReason(
      23, "802_1X_AUTH_FAILED", .key,
      Phrase(
        en: "This is an enterprise network, which the sensor does not support.",
        fr: "C’est un réseau d’entreprise, que le capteur ne prend pas en charge."),
      Phrase(en: "802.1X authentication.", fr: "Authentification 802.1X."),
      Phrase(
        en: "Use a network with a pre-shared key (PSK).",
        fr: "Utilisez un réseau à clé partagée (PSK).")),
    WiFiReason(
      34, "MISSING_ACKS", .association,
      Phrase(
        en: "The radio link to the access point is poor.",
        fr: "La liaison radio avec le point d’accès est mauvaise."),
      Phrase(
        en: "Too many frames went unacknowledged.",
        fr: "Trop de trames restées sans acquittement."),
      Phrase(en: "Come closer to the access point.", fr: "Rapprochez-vous du point d’accès.")),
    WiFiReason(
      39, "TIMEOUT", .association,
      Phrase(en: "The access point timed out.", fr: "Le point d’accès a dépassé le délai."),
      Phrase(
        en: "Weak signal, an overloaded access point, or power saving beside Bluetooth.",
        fr: "Signal faible, point d’accès surchargé, ou économie d’énergie en présence du "
          + "Bluetooth."),
      Phrase(
        en: "Come closer, retry, restart the access point.",
        fr: "Rapprochez-vous, réessayez, redémarrez le point d’accès.")),
    WiFiReason(
      206, "AP_TSF_RESET", .association,
      Phrase(en: "The access point restarted.", fr: "Le point d’accès a redémarré."),
      Phrase(en: "Its clock was reset.", fr: "Son horloge a été réinitialisée."),
      Phrase(en: "Retry.", fr: "Réessayez.")),
    WiFiReason(
      207, "ROAMING", .association,
      Phrase(
        en: "The sensor changed access points (information only).",
        fr: "Le capteur a changé de point d’accès (simple information)."),
      Phrase(en: "Roaming within the network.", fr: "Itinérance au sein du réseau."),
      Phrase(
        en: "Retry if it does not join by itself.",
        fr: "Réessayez s’il ne se connecte pas de lui-même.")),
    WiFiReason(
      208, "ASSOC_COMEBACK_TIME_TOO_LONG", .association,
      Phrase(
        en: "The access point is busy and asks to come back later.",
        fr: "Le point d’accès est occupé et demande de revenir plus tard."),
      Phrase(en: "It is overloaded.", fr: "Il est surchargé."),
      Phrase(en: "Retry; set PMF to optional.", fr: "Réessayez ; réglez PMF sur facultatif.")),
    WiFiReason(
      209, "SA_QUERY_TIMEOUT", .association,
      Phrase(
        en: "The check of protected management frames (PMF) failed.",
        fr: "La vérification des trames de gestion protégées (PMF) a échoué."),
      Phrase(en: "A PMF incompatibility.", fr: "Incompatibilité PMF."),
      Phrase(en: "Retry; set PMF to optional.", fr: "Réessayez ; réglez PMF sur facultatif.")),
    WiFiReason(
      6, "NOT_AUTHED", .association,
      Phrase(
        en: "The access point has forgotten the sensor.",
        fr: "Le point d’accès a oublié le capteur."),
      Phrase(
        en: "It restarted, or a controller roams its clients.",
        fr: "Il a redémarré, ou un contrôleur déplace ses clients."),
      Phrase(
        en: "Retry; if it repeats, restart the access point.",
        fr: "Réessayez ; si cela se répète, redémarrez le point d’accès.")),
    WiFiReason(
      7, "NOT_ASSOCED", .association,
      Phrase(
        en: "The access point has forgotten the sensor.",
        fr: "Le point d’accès a oublié le capteur."),
      Phrase(
        en: "It restarted, or a controller roams its clients.",
        fr: "Il a redémarré, ou un contrôleur déplace ses clients."),
      Phrase(
        en: "Retry; if it repeats, restart the access point.",
        fr: "Réessayez ; si cela se répète, redémarrez le point d’accès.")),
    WiFiReason(
      9, "ASSOC_NOT_AUTHED", .association,
      Phrase(
        en: "The access point has forgotten the sensor.",
        fr: "Le point d’accès a oublié le capteur."),
      Phrase(
        en: "It restarted, or a controller roams its clients.",
        fr: "Il a redémarré, ou un contrôleur déplace ses clients."),
      Phrase(
        en: "Retry; if it repeats, restart the access point.",
        fr: "Réessayez ; si cela se répète, redémarrez le point d’accès.")),
    WiFiReason(
      18, "GROUP_CIPHER_INVALID", .association,
      Phrase(
        en: "The security suites do not match.",
        fr: "Les suites de sécurité ne concordent pas."),
      Phrase(
        en: "The access point uses a cipher that the sensor lacks.",
        fr: "Le point d’accès utilise un chiffrement que le capteur n’a pas."),
      Phrase(en: "Set WPA2-PSK with AES (CCMP).", fr: "Réglez WPA2-PSK avec AES (CCMP).")),
    WiFiReason(
      19, "PAIRWISE_CIPHER_INVALID", .association,
      Phrase(
        en: "The security suites do not match.",
        fr: "Les suites de sécurité ne concordent pas."),
      Phrase(
        en: "The access point uses a cipher that the sensor lacks.",
        fr: "Le point d’accès utilise un chiffrement que le capteur n’a pas."),
      Phrase(en: "Set WPA2-PSK with AES (CCMP).", fr: "Réglez WPA2-PSK avec AES (CCMP).")),
    WiFiReason(
      20, "AKMP_INVALID", .association,
      Phrase(
        en: "The security suites do not match.",
        fr: "Les suites de sécurité ne concordent pas."),
      Phrase(
        en: "The access point uses a cipher that the sensor lacks.",
        fr: "Le point d’accès utilise un chiffrement que le capteur n’a pas."),
      Phrase(en: "Set WPA2-PSK with AES (CCMP).", fr: "Réglez WPA2-PSK avec AES (CCMP).")),
    WiFiReason(
      24, "CIPHER_SUITE_REJECTED", .association,
      Phrase(
        en: "The security suites do not match.",
        fr: "Les suites de sécurité ne concordent pas."),
      Phrase(
        en: "The access point uses a cipher that the sensor lacks.",
        fr: "Le point d’accès utilise un chiffrement que le capteur n’a pas."),
      Phrase(en: "Set WPA2-PSK with AES (CCMP).", fr: "Réglez WPA2-PSK avec AES (CCMP).")),
    WiFiReason(
      49, "INVALID_PMKID", .association,
      Phrase(
        en: "A stale key is kept after a restart.",
        fr: "Une clé périmée subsiste après un redémarrage."),
      Phrase(en: "The access point restarted.", fr: "Le point d’accès a redémarré."),
      Phrase(en: "Retry.", fr: "Réessayez.")),
    WiFiReason(
      53, "INVALID_PMKID", .association,
      Phrase(
        en: "A stale key is kept after a restart.",
        fr: "Une clé périmée subsiste après un redémarrage."),
      Phrase(en: "The access point restarted.", fr: "Le point d’accès a redémarré."),
      Phrase(en: "Retry.", fr: "Réessayez.")),
  ]
}
