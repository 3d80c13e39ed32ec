import Domain
import FoundationEssentials
import Texts

extension API {
  /// A pattern for rules.
  package struct Template: Hashable, Sendable, Codable {
    package let id: String
    package let name: String
    package let field: RuleField
    package let unit: String
    package let minimum: Double
    package let maximum: Double
    package let leastCooldown: Int
    package let greatestCooldown: Int

    package init(_ template: RuleTemplate, _ language: Language) {
      id = template.id
      name = template.name[language]
      field = template.field
      unit = template.field.unit
      minimum = template.bounds.lowerBound
      maximum = template.bounds.upperBound
      leastCooldown = template.minimumCooldown
      greatestCooldown = RuleTemplate.maximumCooldown
    }
  }

  package struct Rule: Hashable, Sendable, Codable {
    package let id: String
    package let sensor: SensorID
    package let template: String
    package let field: RuleField
    package let `operator`: RuleOperator
    package let threshold: Double
    package let unit: String
    package let cooldown: Int
    package let label: String
    package let severity: Severity
    package let enabled: Bool
    package let lastFired: Moment?
    /// What was brought within the template's bounds, in words.
    package let adjustments: [String]

    package init(
      _ rule: Domain.Rule, state: RuleState?, adjustments: [Domain.RuleDraft.Adjustment] = [],
      _ language: Language
    ) {
      id = rule.id.lowercaseText
      sensor = rule.sensor
      template = rule.template
      field = rule.field
      self.operator = rule.comparison
      threshold = rule.threshold
      unit = rule.field.unit
      cooldown = rule.cooldown
      label = rule.title[language]
      severity = rule.severity
      enabled = rule.isEnabled
      lastFired = Moment(state?.lastFired)
      self.adjustments = adjustments.map { $0.phrase(unit: rule.field.unit)[language] }
    }
  }

  /// A rule to be made; what is left out comes from the template.
  package struct RuleDraft: Sendable, Codable {
    package let sensor: SensorID
    package let template: String
    package let `operator`: RuleOperator?
    package let threshold: Double
    package let cooldown: Int?
    package let label: String?
    package let severity: Severity?
    package let enabled: Bool?

    package init(
      sensor: SensorID, template: String, operator: RuleOperator?, threshold: Double,
      cooldown: Int?, label: String?, severity: Severity?, enabled: Bool?
    ) {
      self.sensor = sensor
      self.template = template
      self.operator = `operator`
      self.threshold = threshold
      self.cooldown = cooldown
      self.label = label
      self.severity = severity
      self.enabled = enabled
    }
  }

  /// A change of a rule; what is left out stays.
  package struct RuleChange: Sendable, Codable {
    package var `operator`: RuleOperator?
    package var threshold: Double?
    package var cooldown: Int?
    package var label: String?
    package var severity: Severity?
    package var enabled: Bool?

    package init() {}
  }

  package struct Alert: Hashable, Sendable, Codable {
    package let id: String
    package let kind: Domain.Alert.Kind
    package let sensor: SensorID?
    package let sensorName: String?
    package let rule: String?
    package let severity: Severity
    package let state: Domain.Alert.State
    package let at: Moment
    package let label: String
    /// One sentence in the caller's language.
    package let text: String
    package let field: RuleField?
    package let `operator`: RuleOperator?
    package let threshold: Double?
    package let value: Double?
    package let count: Int?
    package let delivery: Delivery?

    /// Where it stands on its way to the backend.
    package enum Delivery: String, Hashable, Sendable, Codable {
      case waiting
      case delivered
      case parked
    }

    package init(
      _ alert: Domain.Alert, sensorName: String?, delivery: Delivery? = nil, _ language: Language
    ) {
      id = alert.id.lowercaseText
      kind = alert.kind
      sensor = alert.sensor
      self.sensorName = sensorName
      rule = alert.rule?.lowercaseText
      severity = alert.severity
      state = alert.state
      at = Moment(alert.at)
      label = alert.title[language]
      text = alert.sentence(sensorName: sensorName)[language]
      field = alert.field
      self.operator = alert.comparison
      threshold = alert.threshold
      value = alert.value
      count = alert.count
      self.delivery = delivery
    }
  }

  package struct Alerts: Hashable, Sendable, Codable {
    package let alerts: [Alert]
    package let unread: Int

    package init(alerts: [Alert], unread: Int) {
      self.alerts = alerts
      self.unread = unread
    }
  }

  /// A destination to be set; without a secret the present one is kept.
  package struct Destination: Sendable, Codable {
    package let url: String
    package let secret: String?

    package init(url: String, secret: String?) {
      self.url = url
      self.secret = secret
    }
  }
}
