import FoundationEssentials

/// A quantity that a rule can watch.
package enum RuleField: String, Hashable, Sendable, Codable, CaseIterable {
  /// Moving average of the level, 0–100 %.
  case soundPct
  /// Loudest instant of the last window, 0–100 %.
  case soundMax
  /// Mean over the window, −180…0 dBFS.
  case dbfsAvg
  /// `dbfsAvg` plus the calibration offset, dB; only for a calibrated sensor.
  case level
}

/// How a value is held against the threshold; a value equal to it fires `>=`, `<=` and `==` only.
package enum RuleOperator: String, Hashable, Sendable, Codable, CaseIterable {
  case greater = ">"
  case greaterOrEqual = ">="
  case less = "<"
  case lessOrEqual = "<="
  case equal = "=="
  case notEqual = "!="
}

/// How much an alert matters: warn → HAUTE (silent), high → CRITIQUE, critical → HAUTE-CRITIQUE.
package enum Severity: String, Hashable, Sendable, Codable, CaseIterable {
  case warn
  case high
  case critical
}

/// A rule of one sensor.
package struct Rule: Hashable, Sendable, Codable, Identifiable {
  package let id: UUID
  package let sensor: SensorID
  /// The template it was made from; gives bounds and the least cooldown.
  package let template: String
  package var field: RuleField
  package var comparison: RuleOperator
  package var threshold: Double
  /// Least seconds between two alerts of this rule, template's minimum to 3600.
  package var cooldown: Int
  /// What its maker calls it; nil shows the template's name, in each reader's language.
  package var label: String?
  package var severity: Severity
  package var isEnabled: Bool

  package init(
    id: UUID, sensor: SensorID, template: String, field: RuleField, comparison: RuleOperator,
    threshold: Double, cooldown: Int, label: String?, severity: Severity = .high,
    isEnabled: Bool = true
  ) {
    self.id = id
    self.sensor = sensor
    self.template = template
    self.field = field
    self.comparison = comparison
    self.threshold = threshold
    self.cooldown = cooldown
    self.label = label
    self.severity = severity
    self.isEnabled = isEnabled
  }
}

/// What must be remembered of a rule between readings, across restarts.
package struct RuleState: Hashable, Sendable, Codable {
  /// When the last alert was made; the cooldown runs from here.
  package var lastFired: Timestamp?
  /// Whether the condition held at the last reading evaluated, and was told.
  package var isTold: Bool

  package init(lastFired: Timestamp? = nil, isTold: Bool = false) {
    self.lastFired = lastFired
    self.isTold = isTold
  }
}
