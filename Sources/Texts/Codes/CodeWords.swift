import Domain

/// What a code means to a person: what happened, the likely cause, what to do now.
package struct CodeWords: Sendable {
  /// One sentence: what happened.
  package let title: Phrase
  /// The most likely cause.
  package let cause: Phrase
  /// What to do, as an order one can follow.
  package let advice: Phrase
  /// The name that IEEE 802.11 or the sensor's firmware gives a Wi-Fi reason.
  package let symbol: String?
  /// Which leg of the enrolment broke; nil for codes outside one.
  package let part: BrokenPart?

  init(
    _ title: Phrase, cause: Phrase, advice: Phrase, symbol: String? = nil, part: BrokenPart? = nil
  ) {
    self.title = title
    self.cause = cause
    self.advice = advice
    self.symbol = symbol
    self.part = part
  }
}

/// The legs between a box with a radio and a stored reading.
package enum BrokenPart: String, Sendable, CaseIterable {
  case radio, link, services, write
  case accessPoint, key, association, addressing
  case broker, encryption, account, firstReading

  package var name: Phrase {
    switch self {
    case .radio: Phrase(en: "Bluetooth radio", fr: "radio Bluetooth")
    case .link: Phrase(en: "Bluetooth link", fr: "liaison Bluetooth")
    case .services: Phrase(en: "sensor services", fr: "services du capteur")
    case .write: Phrase(en: "write to the sensor", fr: "écriture vers le capteur")
    case .accessPoint: Phrase(en: "Wi-Fi network not found", fr: "réseau Wi-Fi introuvable")
    case .key: Phrase(en: "Wi-Fi key", fr: "clé Wi-Fi")
    case .association: Phrase(en: "Wi-Fi association", fr: "association Wi-Fi")
    case .addressing: Phrase(en: "address (DHCP)", fr: "adresse (DHCP)")
    case .broker: Phrase(en: "way to the broker", fr: "accès au broker")
    case .encryption: Phrase(en: "encryption (TLS)", fr: "chiffrement (TLS)")
    case .account: Phrase(en: "broker account", fr: "compte du broker")
    case .firstReading: Phrase(en: "first reading", fr: "première mesure")
    }
  }
}

extension Code {
  /// The words of this code; a Wi-Fi reason that nobody has described gets general ones, and is
  /// never taken for a wrong password.
  package var words: CodeWords {
    if let words = Self.table[self] { return words }
    return CodeWords(
      Phrase(
        en: "The sensor reported \(description), which is not in our table.",
        fr: "Le capteur a signalé \(description), absent de notre table."),
      cause: Phrase(
        en: "A newer firmware or an unusual access point.",
        fr: "Un firmware plus récent ou un point d’accès inhabituel."),
      advice: Phrase(
        en: "Try again; if it stays, note the code and the access point's model.",
        fr: "Réessayez ; si cela persiste, notez le code et le modèle du point d’accès."),
      part: leg == .wifi ? .association : nil)
  }

  /// Every code that has words of its own, by leg and number.
  package static let described: [Code] = table.keys.sorted {
    ($0.leg.rawValue, $0.number) < ($1.leg.rawValue, $1.number)
  }

  private static let table: [Code: CodeWords] = [
    generalWords, bluetoothWords, gattWords, wifiWords, wifiRareWords, mqttWords, brokerWords,
    storageWords, backendWords,
  ].reduce(into: [:]) { table, part in table.merge(part) { first, _ in first } }
}
