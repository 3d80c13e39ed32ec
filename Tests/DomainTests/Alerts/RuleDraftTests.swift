import Domain
import Foundation
import TestSupport
import Testing

@Suite("A draft of a rule")
struct RuleDraftTests {
  private func sensor(calibration: Double? = nil) throws -> Sensor {
    Sensor(
      id: sensorID(1), name: try SensorName("Hall"), enrolledAt: Timestamp(seconds: 0),
      calibrationOffset: calibration)
  }

  private func draft(
    _ template: String = "level", threshold: Double = 80, cooldown: Int = 300,
    label: String = "Loud"
  ) -> RuleDraft {
    RuleDraft(
      template: template, comparison: .greater, threshold: threshold, cooldown: cooldown,
      label: label)
  }

  @Test(
    "TC-IOS-RULES-01: makes a rule from a template with operator, threshold, cooldown and label")
  func make() throws {
    let id = UUID()
    let (rule, adjustments) = try draft(label: " Loud ").rule(id: id, for: sensor())
    #expect(
      rule
        == Rule(
          id: id, sensor: sensorID(1), template: "level", field: .soundPct, comparison: .greater,
          threshold: 80, cooldown: 300, label: "Loud", severity: .high, isEnabled: true))
    #expect(adjustments.isEmpty)
  }

  @Test(
    "TC-IOS-RULES-02: has its threshold held within the template's bounds",
    arguments: [
      ("level", 0.0, 100.0), ("loud", 0, 100), ("dbfs", -90, 0), ("calibrated", 30, 130),
    ])
  func thresholds(template: String, low: Double, high: Double) throws {
    // "seuil bloqué aux bornes min/max, pas d'envoi hors limites"
    let sensor = try sensor(calibration: 94)
    for (given, kept) in [(low - 0.5, low), (low, low), (high, high), (high + 0.5, high)] {
      let (rule, adjustments) = try draft(template, threshold: given).rule(id: UUID(), for: sensor)
      #expect(rule.threshold == kept)
      #expect(adjustments == (given == kept ? [] : [.threshold(from: given, to: kept)]))
    }
    for senseless in [Double.nan, .infinity, -.infinity] {
      #expect(throws: RuleDraft.Invalid.notFinite) {
        try draft(template, threshold: senseless).rule(id: UUID(), for: sensor)
      }
    }
  }

  @Test(
    "TC-IOS-RULES-03: has its cooldown held to the template's minimum",
    arguments: [
      ("level", 60), ("loud", 30), ("dbfs", 60), ("calibrated", 60),
    ])
  func cooldowns(template: String, minimum: Int) throws {
    // "cooldown bloqué à la valeur minimale"
    let sensor = try sensor(calibration: 94)
    for (given, kept) in [(minimum - 1, minimum), (.min, minimum), (3_600, 3_600), (3_601, 3_600)] {
      let (rule, adjustments) = try draft(template, threshold: 0, cooldown: given)
        .rule(id: UUID(), for: sensor)
      #expect(rule.cooldown == kept)
      #expect(adjustments.contains(.cooldown(from: given, to: kept)) == (given != kept))
    }
  }

  @Test("keeps what an existing rule says, until it is edited")
  func edit() throws {
    let (rule, _) = try draft().rule(id: UUID(), for: sensor())
    var edited = RuleDraft(rule)
    #expect(try edited.rule(id: rule.id, for: sensor()).rule == rule)
    edited.threshold = 70
    edited.isEnabled = false
    let (changed, _) = try edited.rule(id: rule.id, for: sensor())
    #expect(changed.threshold == 70)
    #expect(!changed.isEnabled)
    #expect(changed.id == rule.id)
  }

  @Test("is refused without a template, a calibration or a name")
  func refused() throws {
    let sensor = try sensor()
    #expect(throws: RuleDraft.Invalid.unknownTemplate) {
      try draft("none").rule(id: UUID(), for: sensor)
    }
    #expect(throws: RuleDraft.Invalid.notCalibrated) {
      try draft("calibrated").rule(id: UUID(), for: sensor)
    }
    #expect(throws: RuleDraft.Invalid.label(.empty)) {
      try draft(label: " ").rule(id: UUID(), for: sensor)
    }
    #expect(throws: RuleDraft.Invalid.label(.controlCharacter)) {
      try draft(label: "a\nb").rule(id: UUID(), for: sensor)
    }
  }

  @Test("has the decibel template on offer only for a calibrated sensor")
  func offered() throws {
    #expect(RuleTemplate.offered(to: try sensor()).map(\.id) == ["level", "loud", "dbfs"])
    #expect(
      RuleTemplate.offered(to: try sensor(calibration: 94)).map(\.id)
        == ["level", "loud", "dbfs", "calibrated"])
  }
}
