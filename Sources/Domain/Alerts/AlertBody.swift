import FoundationEssentials

/// The JSON in which an alert is delivered (`docs/api/alert.md`).
///
/// Its keys are always all there, `null` where they do not apply, and in alphabetical order, so that
/// one alert is always the same bytes. A receiver must let keys pass that it does not know; `version`
/// changes when one of these changes its meaning.
package struct AlertBody: Hashable, Sendable {
  package static let version = 1

  package let alert: Alert
  package let gateway: String
  /// The sensor's name when the alert was made.
  package let sensorName: SensorName?
  package let label: String

  /// - Parameter label: what stands for the label of an alert that has none.
  package init(alert: Alert, gateway: String, sensorName: SensorName?, label: String = "") {
    self.alert = alert
    self.label = alert.label ?? label
    self.gateway = gateway
    self.sensorName = sensorName
  }

  package func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(self))
  }
}

extension AlertBody: Encodable {
  private enum Key: String, CodingKey {
    case version, id, kind, severity, criticality, at, gateway, sensor, rule, value, unit, count
    case label
  }

  private enum SensorKey: String, CodingKey { case id, name }

  private enum RuleKey: String, CodingKey { case id, label, field, `operator`, threshold }

  package func encode(to encoder: any Encoder) throws {
    var body = encoder.container(keyedBy: Key.self)
    try body.encode(Self.version, forKey: .version)
    try body.encode(alert.id.lowercaseText, forKey: .id)
    try body.encode(alert.kind, forKey: .kind)
    try body.encode(alert.severity, forKey: .severity)
    try body.encode(alert.severity.criticality, forKey: .criticality)
    try body.encode(alert.at.description, forKey: .at)
    try body.encode(gateway, forKey: .gateway)
    try body.encode(label, forKey: .label)
    try body.encode(alert.value, forKey: .value)
    try body.encode(alert.field?.unit, forKey: .unit)
    try body.encode(alert.count, forKey: .count)
    if let id = alert.sensor {
      var sensor = body.nestedContainer(keyedBy: SensorKey.self, forKey: .sensor)
      try sensor.encode(id, forKey: .id)
      try sensor.encode(sensorName?.text, forKey: .name)
    } else {
      try body.encodeNil(forKey: .sensor)
    }
    if let id = alert.rule {
      var rule = body.nestedContainer(keyedBy: RuleKey.self, forKey: .rule)
      try rule.encode(id.lowercaseText, forKey: .id)
      try rule.encode(label, forKey: .label)
      try rule.encode(alert.field, forKey: .field)
      try rule.encode(alert.comparison, forKey: .operator)
      try rule.encode(alert.threshold, forKey: .threshold)
    } else {
      try body.encodeNil(forKey: .rule)
    }
  }
}

extension Severity {
  /// PD-105's word for it.
  package var criticality: String {
    switch self {
    case .warn: "HAUTE"
    case .high: "CRITIQUE"
    case .critical: "HAUTE-CRITIQUE"
    }
  }

  /// Whether it reaches people without a sound, and enters the alert centre as read.
  package var isSilent: Bool { self == .warn }
}

extension UUID {
  /// The form of RFC 9562, in lower case: how ids go out in JSON and headers.
  package var lowercaseText: String { uuidString.lowercased() }
}
