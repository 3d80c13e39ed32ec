/// What a rule makes of a reading, and why.
package enum RuleOutcome: Hashable, Sendable {
  case disabled
  /// The reading's moment is not known.
  case uncertain
  /// The reading does not have the field.
  case notApplicable
  /// The condition does not hold.
  case clear
  /// The condition holds, and was told so lately that it must not be told yet.
  case cooling(until: Timestamp)
  /// The condition holds, and an alert is due.
  case fires(value: Double)
}

extension Rule {
  /// Holds a reading against the rule.
  ///
  /// An alert is due when the condition holds and the cooldown since the last alert has passed. So a
  /// condition that goes on holding is told once per cooldown, and a value that bounces on the
  /// threshold at most once per cooldown: what was kept back does not push the window on.
  ///
  /// - Parameters:
  ///   - calibration: what is added to dBFS to give dB; nil for an uncalibrated sensor.
  ///   - state: what is remembered of the rule; changed when an alert is due, and when a condition
  ///     that was told no longer holds.
  package func evaluate(
    _ reading: Reading, calibration: Double?, state: inout RuleState
  ) -> RuleOutcome {
    guard isEnabled else { return .disabled }
    guard reading.isDated else { return .uncertain }
    guard let value = field.value(of: reading.sound, calibration: calibration) else {
      return .notApplicable
    }
    guard comparison.holds(value, threshold) else {
      state.isTold = false
      return .clear
    }
    if let last = state.lastFired {
      // A last alert from the future was dated by a clock that was wrong, unless it is a moment away:
      // readings of a backlog come in late.
      let until = last + .seconds(cooldown)
      if reading.at < until, reading.at + .seconds(cooldown) > last {
        return .cooling(until: until)
      }
    }
    state = RuleState(lastFired: reading.at, isTold: true)
    return .fires(value: value)
  }
}

extension RuleField {
  /// The field's value in a reading; nil when the firmware does not send it or the sensor is not
  /// calibrated.
  package func value(of sound: SoundStatus, calibration: Double?) -> Double? {
    switch self {
    case .soundPct: Double(sound.soundPct)
    case .soundMax: sound.soundMax.map(Double.init)
    case .dbfsAvg: sound.dbfsAvg.map(Double.init)
    case .level:
      if let dbfs = sound.dbfsAvg, let calibration { Double(dbfs) + calibration } else { nil }
    }
  }
}

extension RuleOperator {
  package func holds(_ value: Double, _ threshold: Double) -> Bool {
    switch self {
    case .greater: value > threshold
    case .greaterOrEqual: value >= threshold
    case .less: value < threshold
    case .lessOrEqual: value <= threshold
    case .equal: value == threshold
    case .notEqual: value != threshold
    }
  }
}
