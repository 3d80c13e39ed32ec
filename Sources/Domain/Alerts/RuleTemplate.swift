/// A pattern for rules: which quantity, within which bounds, how often at most.
package struct RuleTemplate: Hashable, Sendable, Codable, Identifiable {
  /// A stable word; its name for people is in `Texts`.
  package let id: String
  package let field: RuleField
  /// What a threshold may be, in the field's unit.
  package let bounds: ClosedRange<Double>
  /// The least cooldown, in seconds.
  package let minimumCooldown: Int
  /// What is proposed.
  package let comparison: RuleOperator
  package let threshold: Double

  /// The greatest cooldown of any rule, in seconds.
  package static let maximumCooldown = 3_600

  /// Moving average of the level.
  package static let level = RuleTemplate(
    id: "level", field: .soundPct, bounds: 0...100, minimumCooldown: 60,
    comparison: .greater, threshold: 80)
  /// Loudest instant.
  package static let loud = RuleTemplate(
    id: "loud", field: .soundMax, bounds: 0...100, minimumCooldown: 30,
    comparison: .greater, threshold: 95)
  package static let dbfs = RuleTemplate(
    id: "dbfs", field: .dbfsAvg, bounds: -90...0, minimumCooldown: 60,
    comparison: .greater, threshold: -20)
  /// Offered only for a calibrated sensor.
  package static let calibrated = RuleTemplate(
    id: "calibrated", field: .level, bounds: 30...130, minimumCooldown: 60,
    comparison: .greater, threshold: 75)

  package static let all = [level, loud, dbfs, calibrated]

  package static func find(_ id: String) -> RuleTemplate? { all.first { $0.id == id } }

  /// The templates that make sense for a sensor.
  package static func offered(to sensor: Sensor) -> [RuleTemplate] {
    sensor.calibrationOffset == nil ? all.filter { $0.field != .level } : all
  }
}

extension RuleField {
  /// The unit of its values, as printed.
  package var unit: String {
    switch self {
    case .soundPct, .soundMax: "%"
    case .dbfsAvg: "dBFS"
    case .level: "dB"
    }
  }
}
