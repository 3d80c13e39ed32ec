import Domain

extension Code {
  static let fieldReasons: [WiFiReason] = commonReasons + otherReasons

  /// What an installer meets most often.
  static let commonReasons: [WiFiReason] = [
    WiFiReason(
      202, "AUTH_FAIL", .key,
      Phrase(
        en: "The access point refused the sensor's authentication.",
        fr: "Le point d’accès a refusé l’authentification du capteur."),
      Phrase(
        en: "Wrong password on WPA3, a MAC filter, a client limit or a security mismatch.",
        fr: "Mot de passe erroné en WPA3, filtrage MAC, limite de clients ou sécurité "
          + "incompatible."),
      Phrase(
        en: "Check the key; check the MAC filter or allow-list; use WPA2-PSK.",
        fr: "Vérifiez la clé ; vérifiez le filtrage MAC ou la liste d’autorisation ; utilisez "
          + "WPA2-PSK.")),
    WiFiReason(
      2, "AUTH_EXPIRE", .association,
      Phrase(
        en: "The access point did not answer the authentication.",
        fr: "Le point d’accès n’a pas répondu à l’authentification."),
      Phrase(
        en: "Weak signal, a crowded band, WPA3/PMF; on some access points also a wrong password.",
        fr: "Signal faible, bande encombrée, WPA3/PMF ; sur certains points d’accès, mot de "
          + "passe erroné."),
      Phrase(
        en: "Wait 30 s and retry; move closer; channel 1, 6 or 11; disable WPA3 transition; "
          + "restart the access point.",
        fr: "Attendez 30 s et réessayez ; rapprochez-vous ; canal 1, 6 ou 11 ; désactivez la "
          + "transition WPA3 ; redémarrez le point d’accès.")),
    WiFiReason(
      201, "NO_AP_FOUND", .accessPoint,
      Phrase(
        en: "The sensor cannot find this network on 2.4 GHz.",
        fr: "Le capteur ne trouve pas ce réseau en 2,4 GHz."),
      Phrase(
        en: "Name mistyped (case matters), 5 GHz only, out of range, hidden, access point off, "
          + "or security weaker than WPA2.",
        fr: "Nom mal saisi (casse comprise), 5 GHz seulement, hors de portée, masqué, point "
          + "d’accès éteint, ou sécurité inférieure à WPA2."),
      Phrase(
        en: "Compare the name letter by letter; enable 2.4 GHz, channels 1–11, WPA2-PSK; come "
          + "closer.",
        fr: "Comparez le nom lettre par lettre ; activez le 2,4 GHz, canaux 1 à 11, WPA2-PSK ; "
          + "rapprochez-vous.")),
    WiFiReason(
      210, "NO_AP_FOUND_W_COMPATIBLE_SECURITY", .accessPoint,
      Phrase(
        en: "The network was found, but its security does not suit the sensor.",
        fr: "Le réseau a été trouvé, mais sa sécurité ne convient pas au capteur."),
      Phrase(
        en: "WPA3 only, enterprise, or an open network with a key given.",
        fr: "WPA3 seul, entreprise, ou réseau ouvert avec une clé saisie."),
      Phrase(
        en: "Set WPA2-PSK, or WPA2/WPA3 mixed with PMF optional.",
        fr: "Réglez WPA2-PSK, ou WPA2/WPA3 mixte avec PMF facultatif.")),
    WiFiReason(
      211, "NO_AP_FOUND_IN_AUTHMODE_THRESHOLD", .accessPoint,
      Phrase(
        en: "The network was found, but its security is too weak.",
        fr: "Le réseau a été trouvé, mais sa sécurité est trop faible."),
      Phrase(en: "WEP, WPA or open network.", fr: "Réseau WEP, WPA ou ouvert."),
      Phrase(en: "Raise the access point to WPA2.", fr: "Passez le point d’accès en WPA2.")),
    WiFiReason(
      212, "NO_AP_FOUND_IN_RSSI_THRESHOLD", .accessPoint,
      Phrase(
        en: "The network was found, but too far away.",
        fr: "Le réseau a été trouvé, mais trop loin."),
      Phrase(
        en: "The signal at the sensor is below its limit.",
        fr: "Le signal au capteur est sous sa limite."),
      Phrase(
        en: "Come closer or add an access point.",
        fr: "Rapprochez-vous ou ajoutez un point d’accès.")),
    WiFiReason(
      203, "ASSOC_FAIL", .association,
      Phrase(
        en: "The access point refused the association.",
        fr: "Le point d’accès a refusé l’association."),
      Phrase(
        en: "Client limit, band steering, 802.11 mode (ax or n only) or rates.",
        fr: "Limite de clients, orientation de bande, mode 802.11 (ax ou n seul) ou débits."),
      Phrase(
        en: "Allow b/g/n, disable band steering for this name, free some clients.",
        fr: "Autorisez b/g/n, désactivez l’orientation de bande pour ce nom, libérez des "
          + "clients.")),
    WiFiReason(
      5, "ASSOC_TOOMANY", .association,
      Phrase(en: "The access point is full.", fr: "Le point d’accès est saturé."),
      Phrase(
        en: "It serves as many clients as it may.",
        fr: "Il sert autant de clients qu’il peut."),
      Phrase(
        en: "Raise the client limit or use another access point.",
        fr: "Augmentez la limite de clients ou utilisez un autre point d’accès.")),
    WiFiReason(
      4, "ASSOC_EXPIRE", .association,
      Phrase(
        en: "The access point did not answer the association.",
        fr: "Le point d’accès n’a pas répondu à l’association."),
      Phrase(
        en: "Weak signal, or the access point timed the sensor out.",
        fr: "Signal faible, ou le point d’accès a laissé expirer le capteur."),
      Phrase(en: "Come closer and retry.", fr: "Rapprochez-vous et réessayez.")),
    WiFiReason(
      200, "BEACON_TIMEOUT", .association,
      Phrase(en: "The sensor lost the access point.", fr: "Le capteur a perdu le point d’accès."),
      Phrase(
        en: "Access point off, out of range, or interference.",
        fr: "Point d’accès éteint, hors de portée, ou interférences."),
      Phrase(en: "Check its power and the range.", fr: "Vérifiez son alimentation et la portée.")),
    WiFiReason(
      205, "CONNECTION_FAIL", .association,
      Phrase(en: "The attempt to join failed.", fr: "La tentative de connexion a échoué."),
      Phrase(
        en: "No particular reason was given.",
        fr: "Aucune raison particulière n’a été donnée."),
      Phrase(
        en: "Retry, then restart the access point.",
        fr: "Réessayez, puis redémarrez le point d’accès.")),
    WiFiReason(
      8, "ASSOC_LEAVE", .addressing,
      Phrase(
        en: "The sensor left the network by itself.",
        fr: "Le capteur a quitté le réseau de lui-même."),
      Phrase(
        en: "Normal right after a change of network; about 15 s after an association it means "
          + "no address (DHCP).",
        fr: "Normal juste après un changement de réseau ; environ 15 s après une association, "
          + "c’est l’absence d’adresse (DHCP)."),
      Phrase(
        en: "If it comes about 15 s after the association: check DHCP server, address pool, "
          + "VLAN, client isolation.",
        fr: "Si cela vient environ 15 s après l’association : vérifiez serveur DHCP, plage "
          + "d’adresses, VLAN, isolation des clients.")),
    WiFiReason(
      3, "AUTH_LEAVE", .association,
      Phrase(
        en: "The access point sent the sensor away.",
        fr: "Le point d’accès a congédié le capteur."),
      Phrase(
        en: "Reconfiguration, a controller's kick, a schedule or parental control, or a MAC "
          + "filter.",
        fr: "Reconfiguration, éviction par un contrôleur, plage horaire ou contrôle parental, "
          + "ou filtrage MAC."),
      Phrase(en: "Check the access rules.", fr: "Vérifiez les règles d’accès.")),
    WiFiReason(
      12, "BSS_TRANSITION_DISASSOC", .association,
      Phrase(
        en: "The controller steers the sensor to another access point.",
        fr: "Le contrôleur oriente le capteur vers un autre point d’accès."),
      Phrase(en: "802.11v steering.", fr: "Orientation 802.11v."),
      Phrase(
        en: "Disable 802.11v steering for this network.",
        fr: "Désactivez l’orientation 802.11v pour ce réseau.")),
    WiFiReason(
      14, "MIC_FAILURE", .association,
      Phrase(
        en: "A message failed its integrity check.",
        fr: "Un message n’a pas passé le contrôle d’intégrité."),
      Phrase(en: "TKIP, or interference.", fr: "TKIP, ou interférences."),
      Phrase(en: "Allow AES only.", fr: "N’autorisez que l’AES.")),
    WiFiReason(
      16, "GROUP_KEY_UPDATE_TIMEOUT", .association,
      Phrase(
        en: "The renewal of the group key timed out.",
        fr: "Le renouvellement de la clé de groupe a expiré."),
      Phrase(
        en: "Weak signal during the renewal.",
        fr: "Signal faible pendant le renouvellement."),
      Phrase(
        en: "Come closer; set a longer renewal interval.",
        fr: "Rapprochez-vous ; allongez l’intervalle de renouvellement.")),
  ]
}
