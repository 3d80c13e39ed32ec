import FoundationEssentials

/// A rule as a person asks for it, before it is brought within its template's bounds.
package struct RuleDraft: Hashable, Sendable {
  package var template: String
  package var comparison: RuleOperator
  package var threshold: Double
  /// Seconds.
  package var cooldown: Int
  /// Nil for the template's name.
  package var label: String?
  package var severity: Severity
  package var isEnabled: Bool

  package init(
    template: String, comparison: RuleOperator, threshold: Double, cooldown: Int, label: String?,
    severity: Severity = .high, isEnabled: Bool = true
  ) {
    self.template = template
    self.comparison = comparison
    self.threshold = threshold
    self.cooldown = cooldown
    self.label = label
    self.severity = severity
    self.isEnabled = isEnabled
  }

  /// What an existing rule says, to be edited.
  package init(_ rule: Rule) {
    self.init(
      template: rule.template, comparison: rule.comparison, threshold: rule.threshold,
      cooldown: rule.cooldown, label: rule.label, severity: rule.severity,
      isEnabled: rule.isEnabled)
  }

  /// Why a draft makes no rule.
  package enum Invalid: Error, Equatable, Sendable {
    case unknownTemplate
    /// The template needs a calibration offset that the sensor does not have.
    case notCalibrated
    case notFinite
    /// It follows the rules of a sensor's name.
    case label(SensorName.Invalid)
  }

  /// A value that was brought within bounds; the person is told.
  package enum Adjustment: Hashable, Sendable {
    case threshold(from: Double, to: Double)
    /// Seconds.
    case cooldown(from: Int, to: Int)
  }

  /// Makes the rule, with threshold and cooldown clamped to what the template allows.
  package func rule(
    id: UUID, for sensor: Sensor
  ) throws(Invalid) -> (rule: Rule, adjustments: [Adjustment]) {
    guard let template = RuleTemplate.find(template) else { throw .unknownTemplate }
    guard template.field != .level || sensor.calibrationOffset != nil else {
      throw .notCalibrated
    }
    guard threshold.isFinite else { throw .notFinite }
    let label: String?
    do throws(SensorName.Invalid) {
      label = try self.label.map { text throws(SensorName.Invalid) in try SensorName(text).text }
    } catch {
      throw .label(error)
    }

    let threshold = threshold.clamped(to: template.bounds)
    let cooldown = cooldown.clamped(
      to: template.minimumCooldown...RuleTemplate.maximumCooldown)
    var adjustments: [Adjustment] = []
    if threshold != self.threshold {
      adjustments.append(.threshold(from: self.threshold, to: threshold))
    }
    if cooldown != self.cooldown {
      adjustments.append(.cooldown(from: self.cooldown, to: cooldown))
    }
    let rule = Rule(
      id: id, sensor: sensor.id, template: template.id, field: template.field,
      comparison: comparison, threshold: threshold, cooldown: cooldown, label: label,
      severity: severity, isEnabled: isEnabled)
    return (rule, adjustments)
  }
}

extension Comparable {
  fileprivate func clamped(to bounds: ClosedRange<Self>) -> Self {
    min(max(self, bounds.lowerBound), bounds.upperBound)
  }
}
