import Domain

extension RuleTemplate {
  /// The template's name for people.
  package var name: Phrase { field.title }
}

extension Rule {
  /// The rule's label; without one, its template's name.
  package var title: Phrase { label.map { Phrase(en: $0, fr: $0) } ?? field.title }
}

extension RuleField {
  /// What a rule on it is called that nobody gave a name.
  package var title: Phrase {
    switch self {
    case .soundPct: Phrase(en: "Level %", fr: "Niveau %")
    case .soundMax: Phrase(en: "Loud %", fr: "Fort %")
    case .dbfsAvg: Phrase(en: "dBFS", fr: "dBFS")
    case .level: Phrase(en: "Calibrated dB", fr: "dB étalonnés")
    }
  }
}

extension RuleField {
  /// The quantity in words.
  package var name: Phrase {
    switch self {
    case .soundPct: Phrase(en: "level", fr: "niveau")
    case .soundMax: Phrase(en: "loudest instant", fr: "instant le plus fort")
    case .dbfsAvg: Phrase(en: "mean level", fr: "niveau moyen")
    case .level: Phrase(en: "calibrated level", fr: "niveau étalonné")
    }
  }
}

extension Severity {
  /// How much it matters, as an adjective of “severity” / “gravité”.
  package var name: Phrase {
    switch self {
    case .warn: Phrase(en: "warn", fr: "modérée")
    case .high: Phrase(en: "high", fr: "élevée")
    case .critical: Phrase(en: "critical", fr: "critique")
    }
  }
}

extension RuleDraft.Adjustment {
  /// What was changed, for the person who asked for something else.
  package func phrase(unit: String) -> Phrase {
    switch self {
    case .threshold(let asked, let given):
      let (asked, given) = (Format.number(asked), Format.number(given))
      return Phrase(
        en: "The threshold \(asked.english) \(unit) is out of bounds; it was set to "
          + "\(given.english) \(unit).",
        fr: "Le seuil \(asked.french) \(unit) est hors limites ; il a été fixé à "
          + "\(given.french) \(unit).")
    case .cooldown(let asked, let given):
      return Phrase(
        en: "The cooldown \(asked) s is out of bounds; it was set to \(given) s.",
        fr: "Le délai de \(asked) s est hors limites ; il a été fixé à \(given) s.")
    }
  }
}

extension Alert {
  /// The alert's label; without one, the name of what its rule watches.
  package var title: Phrase {
    label.map { Phrase(en: $0, fr: $0) } ?? field?.title ?? Phrase(en: "", fr: "")
  }

  /// What happened, in one sentence.
  ///
  /// - Parameter sensorName: the sensor's name; nil shows its chip id.
  package func sentence(sensorName: String?) -> Phrase {
    let subject = sensorName ?? sensor?.text ?? ""
    switch kind {
    case .rule:
      let value = value.map { Format.number($0) } ?? Phrase(en: "–", fr: "–")
      let threshold = threshold.map { Format.number($0) } ?? Phrase(en: "–", fr: "–")
      let unit = field?.unit ?? ""
      let sign = comparison?.rawValue ?? ""
      return Phrase(
        en: "\(subject): \(title.english) — \(value.english) \(unit) (\(sign) \(threshold.english) "
          + "\(unit))",
        fr:
          "\(subject) : \(title.french) — \(value.french) \(unit) (\(sign) \(threshold.french) \(unit))"
      )
    case .backlog:
      let number = count ?? 0
      return Phrase(
        en: "\(subject): \(number) \(number == 1 ? "reading" : "readings") over a limit came in "
          + "late, after a break",
        fr: number < 2
          ? "\(subject) : \(number) mesure au-delà d’une limite arrivée en retard, après une coupure"
          : "\(subject) : \(number) mesures au-delà d’une limite arrivées en retard, après une "
            + "coupure")
    case .undelivered:
      let number = count ?? 0
      return Phrase(
        en: number == 1
          ? "1 alert could not be delivered for seven days and was given up"
          : "\(number) alerts could not be delivered for seven days and were given up",
        fr: number < 2
          ? "\(number) alerte n’a pu être remise en sept jours et a été abandonnée"
          : "\(number) alertes n’ont pu être remises en sept jours et ont été abandonnées")
    case .refused:
      return Phrase(
        en: "The backend refuses an alert: \(title.english)",
        fr: "Le serveur distant refuse une alerte : \(title.french)")
    }
  }
}
