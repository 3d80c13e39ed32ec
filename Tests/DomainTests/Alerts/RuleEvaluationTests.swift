import Domain
import Foundation
import TestSupport
import Testing

@Suite("A rule")
struct RuleEvaluationTests {
  private let start = Timestamp(seconds: 1_790_000_000)

  private func rule(
    _ field: RuleField = .soundPct, _ comparison: RuleOperator = .greater, _ threshold: Double = 80,
    cooldown: Int = 300, isEnabled: Bool = true
  ) -> Rule {
    Rule(
      id: UUID(), sensor: sensorID(1), template: "level", field: field, comparison: comparison,
      threshold: threshold, cooldown: cooldown, label: "Loud", isEnabled: isEnabled)
  }

  private func reading(_ level: Int, at seconds: Int = 0, isDated: Bool = true) -> Reading {
    Reading(
      sensor: sensorID(1), at: start + .seconds(seconds), isDated: isDated, boot: 1,
      sound: SoundStatus(soundPct: level, soundMax: level, dbfsAvg: level - 100, uptime: 100))
  }

  @Test(
    "holds a value against its threshold",
    arguments: [
      (RuleOperator.greater, [false, false, true]), (.greaterOrEqual, [false, true, true]),
      (.less, [true, false, false]), (.lessOrEqual, [true, true, false]),
      (.equal, [false, true, false]), (.notEqual, [true, false, true]),
    ])
  func operators(comparison: RuleOperator, expected: [Bool]) {
    // R02: "the equal case follows the documented comparison"
    for (level, holds) in zip([79, 80, 81], expected) {
      var state = RuleState()
      let outcome = rule(.soundPct, comparison).evaluate(
        reading(level), calibration: nil, state: &state)
      #expect(outcome == (holds ? .fires(value: Double(level)) : .clear))
      #expect(state == (holds ? RuleState(lastFired: start, isTold: true) : RuleState()))
    }
  }

  @Test("takes the value of its field, when the reading has it")
  func fields() {
    var state = RuleState()
    let full = reading(90)
    #expect(RuleField.soundMax.value(of: full.sound, calibration: nil) == 90)
    #expect(RuleField.dbfsAvg.value(of: full.sound, calibration: nil) == -10)
    #expect(RuleField.level.value(of: full.sound, calibration: 94.5) == 84.5)
    let bare = Reading(
      sensor: sensorID(1), at: start, boot: 1, sound: SoundStatus(soundPct: 90, uptime: 1))
    for field in [RuleField.soundMax, .dbfsAvg, .level] {
      #expect(
        rule(field, .less, 200).evaluate(bare, calibration: 90, state: &state) == .notApplicable)
    }
    #expect(rule(.level).evaluate(full, calibration: nil, state: &state) == .notApplicable)
    #expect(state == RuleState())
  }

  @Test("evaluates nothing while it is off, and nothing of an uncertain moment")
  func evaluatesNothing() {
    var state = RuleState(lastFired: start - .seconds(9_000), isTold: true)
    let before = state
    #expect(
      rule(isEnabled: false).evaluate(reading(99), calibration: nil, state: &state) == .disabled)
    #expect(
      rule().evaluate(reading(99, isDated: false), calibration: nil, state: &state) == .uncertain)
    #expect(state == before)
  }

  @Test("tells a condition that goes on holding once per cooldown")
  func sustained() {
    var state = RuleState()
    let alerts = (0...900).filter { second in
      rule().evaluate(reading(95, at: second), calibration: nil, state: &state)
        == .fires(value: 95)
    }
    #expect(alerts == [0, 300, 600, 900])
    let outcome = rule().evaluate(reading(95, at: 901), calibration: nil, state: &state)
    #expect(outcome == .cooling(until: start + .seconds(1_200)))
  }

  @Test("R02: tells a value that bounces on the threshold at most once per cooldown")
  func bouncing() {
    // "threshold 80: 79.9/80.1 alternating each second for 15 min, cooldown 5 min": "at most one alert
    // per cooldown; suppressed ones do not push the window on"
    var state = RuleState()
    let rule = rule(.level, .greater, 80)
    let alerts = (0..<900).filter { second in
      let calibration = 100 + (second.isMultiple(of: 2) ? 0.1 : -0.1)
      let outcome = rule.evaluate(
        reading(80, at: second), calibration: calibration, state: &state)
      if case .fires = outcome { return true }
      return false
    }
    #expect(alerts == [0, 300, 600])
  }

  @Test("R01: remembers across a restart what it has told, whenever it comes", arguments: 0..<20)
  func restartEquivalence(seed: UInt64) throws {
    // "cooldown and 'already told' are in SQLite": the state is all there is to remember, so the same
    // readings give the same alerts wherever the state goes through the store in between.
    var generator = SeededGenerator(seed: seed)
    let rule = rule(cooldown: 60)
    var kept = RuleState()
    var restarted = RuleState()
    var second = 0
    for _ in 0..<500 {
      second += Int.random(in: 1...20, using: &generator)
      let reading = reading(Int.random(in: 70...90, using: &generator), at: second)
      let expected = rule.evaluate(reading, calibration: nil, state: &kept)
      if Bool.random(using: &generator) {
        restarted = try JSONDecoder().decode(
          RuleState.self, from: JSONEncoder().encode(restarted))
      }
      #expect(rule.evaluate(reading, calibration: nil, state: &restarted) == expected)
    }
  }

  @Test("C01: is not silenced by an alert from a future that never was")
  func futureAlert() {
    var state = RuleState(lastFired: start + .seconds(86_400), isTold: true)
    #expect(rule().evaluate(reading(95), calibration: nil, state: &state) == .fires(value: 95))
    // A reading of a backlog that comes in after the alert is within the same cooldown.
    state = RuleState(lastFired: start + .seconds(90), isTold: true)
    #expect(
      rule().evaluate(reading(95), calibration: nil, state: &state)
        == .cooling(until: start + .seconds(390)))
  }
}
