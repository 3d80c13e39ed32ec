import Domain

extension Code {
  /// The radio and the Bluetooth service.
  static let bluetoothWords: [Code: CodeWords] = [
    .adapterAbsent: CodeWords(
      Phrase(en: "There is no Bluetooth adapter.", fr: "Aucun adaptateur Bluetooth."),
      cause: Phrase(
        en: "None is fitted, it is unplugged, or the configured address is another one's.",
        fr: "Il n’y en a pas, il est débranché, ou l’adresse configurée est celle d’un autre."),
      advice: Phrase(
        en: "Plug one in; check: bluetoothctl list — on a Raspberry Pi: "
          + "sudo systemctl restart hciuart",
        fr: "Branchez-en un ; vérifiez : bluetoothctl list — sur un Raspberry Pi : "
          + "sudo systemctl restart hciuart"),
      part: .radio),
    .adapterOff: CodeWords(
      Phrase(en: "Bluetooth is switched off.", fr: "Le Bluetooth est éteint."),
      cause: Phrase(
        en: "The adapter is not powered.", fr: "L’adaptateur n’est pas sous tension."),
      advice: Phrase(
        en: "Switch it on: bluetoothctl power on",
        fr: "Activez le Bluetooth : bluetoothctl power on"),
      part: .radio),
    .adapterBlocked: CodeWords(
      Phrase(en: "Bluetooth is blocked (rfkill).", fr: "Le Bluetooth est bloqué (rfkill)."),
      cause: Phrase(
        en: "A software or hardware switch keeps the radio off.",
        fr: "Un interrupteur logiciel ou matériel coupe la radio."),
      advice: Phrase(
        en: "Unblock it: sudo rfkill unblock bluetooth — a hardware switch must be moved by hand.",
        fr: "Débloquez-le : sudo rfkill unblock bluetooth — un interrupteur matériel se change "
          + "à la main."),
      part: .radio),
    .bluetoothDenied: CodeWords(
      Phrase(
        en: "This user may not use Bluetooth.",
        fr: "Cet utilisateur n’a pas le droit d’utiliser le Bluetooth."),
      cause: Phrase(
        en: "The D-Bus policy denies user “soundgate” the name org.bluez.",
        fr: "La politique D-Bus refuse org.bluez à l’utilisateur « soundgate »."),
      advice: Phrase(
        en: "Install the policy again (sudo make install), then: sudo systemctl reload dbus",
        fr: "Réinstallez la politique (sudo make install), puis : sudo systemctl reload dbus"),
      part: .radio),
    .bluetoothdAbsent: CodeWords(
      Phrase(
        en: "The Bluetooth service is not running.",
        fr: "Le service Bluetooth n’est pas démarré."),
      cause: Phrase(
        en: "bluetoothd is stopped or not installed.",
        fr: "bluetoothd est arrêté ou n’est pas installé."),
      advice: Phrase(
        en: "Start it: sudo systemctl enable --now bluetooth (package “bluez”)",
        fr: "Démarrez-le : sudo systemctl enable --now bluetooth (paquet « bluez »)"),
      part: .radio),
    .busUnreachable: CodeWords(
      Phrase(
        en: "The D-Bus system bus does not answer.", fr: "Le bus système D-Bus ne répond pas."),
      cause: Phrase(en: "dbus-daemon is not running.", fr: "dbus-daemon n’est pas démarré."),
      advice: Phrase(
        en: "Start it: sudo systemctl start dbus",
        fr: "Démarrez-le : sudo systemctl start dbus"),
      part: .radio),
    .scanRefused: CodeWords(
      Phrase(
        en: "The Bluetooth service refuses to scan.",
        fr: "Le service Bluetooth refuse la "
          + "recherche."),
      cause: Phrase(
        en: "Another program holds the scan, or the service is stuck.",
        fr: "Un autre programme tient la recherche, ou le service est bloqué."),
      advice: Phrase(
        en: "It is tried again by itself; if it lasts: sudo systemctl restart bluetooth",
        fr: "Un nouvel essai est automatique ; si cela dure : sudo systemctl restart bluetooth"),
      part: .radio),
    .bluetoothdRestarted: CodeWords(
      Phrase(
        en: "The Bluetooth service was restarted.", fr: "Le service Bluetooth a été redémarré."),
      cause: Phrase(
        en: "bluetoothd stopped while the sensor was connected.",
        fr: "bluetoothd s’est arrêté pendant la liaison avec le capteur."),
      advice: Phrase(
        en: "Resume the enrolment; if it repeats: journalctl -u bluetooth",
        fr: "Reprenez l’enrôlement ; si cela se répète : journalctl -u bluetooth"),
      part: .radio),
    .adapterLost: CodeWords(
      Phrase(en: "The Bluetooth adapter was lost.", fr: "L’adaptateur Bluetooth a disparu."),
      cause: Phrase(
        en: "It was unplugged, switched off or reset.",
        fr: "Il a été débranché, éteint ou réinitialisé."),
      advice: Phrase(
        en: "Plug it in again (a short USB extension helps), then resume the enrolment.",
        fr: "Rebranchez-le (une courte rallonge USB aide), puis reprenez l’enrôlement."),
      part: .radio),
    .notSeen: CodeWords(
      Phrase(en: "The sensor is not in range.", fr: "Le capteur n’est pas à portée."),
      cause: Phrase(
        en: "Its radio is off: it is on only for 5 minutes after a short press, and never while "
          + "the "
          + "sensor is online.",
        fr: "Sa radio est éteinte : elle ne fonctionne que 5 minutes après un appui court, jamais "
          + "quand le capteur est en ligne."),
      advice: Phrase(
        en: "Press its button briefly (the LED blinks) and come closer; if nothing, wait one "
          + "minute "
          + "and press again.",
        fr: "Appuyez brièvement sur son bouton (la LED clignote) et rapprochez-vous ; sinon "
          + "attendez "
          + "une minute et appuyez de nouveau."),
      part: .link),
    .windowClosed: CodeWords(
      Phrase(
        en: "The sensor's 5-minute window is over.",
        fr: "La fenêtre de 5 minutes du capteur est terminée."),
      cause: Phrase(
        en: "The sensor switches its radio off 5 minutes after the press, whatever is under way.",
        fr: "Le capteur éteint sa radio 5 minutes après l’appui, quoi qu’il arrive."),
      advice: Phrase(
        en: "Press its button briefly and resume the enrolment.",
        fr: "Appuyez brièvement sur son bouton et reprenez l’enrôlement."),
      part: .radio),
    .alreadyOnline: CodeWords(
      Phrase(en: "The sensor is already online.", fr: "Le capteur est déjà en ligne."),
      cause: Phrase(
        en: "While it reaches its broker, a press closes the Bluetooth window at once.",
        fr: "Tant qu’il joint son broker, un appui referme aussitôt la fenêtre Bluetooth."),
      advice: Phrase(
        en: "Reset its broker settings over MQTT (soundgate sensors reset), or use its local page, "
          + "or hold the button for 2 seconds right after power-up.",
        fr: "Effacez ses réglages par MQTT (soundgate sensors reset), ou passez par sa page "
          + "locale, "
          + "ou tenez le bouton 2 secondes juste après la mise sous tension."),
      part: .radio),
    .linksBusy: CodeWords(
      Phrase(
        en: "The adapter is busy with another sensor.",
        fr: "L’adaptateur est occupé par un autre capteur."),
      cause: Phrase(
        en: "As many sensors are connected as the configuration allows.",
        fr: "Le nombre de capteurs connectés permis par la configuration est atteint."),
      advice: Phrase(
        en: "Wait for the other enrolment to leave its link, or raise [bluetooth] links.",
        fr: "Attendez que l’autre enrôlement libère sa liaison, ou augmentez [bluetooth] links."),
      part: .link),
  ]
}
