import Domain
import FoundationEssentials

/// What the deliveries since the last commit come to. Nothing of it is acknowledged yet.
struct IngestBatch: Sendable {
  /// When the first delivery came, on the loop's stopwatch; nil while there is none.
  var begun: Duration?
  /// The deliveries in it; the broker waits for their acknowledgement.
  var deliveries = 0
  /// Whether something in it must not wait: a rule's state has changed, an enrolment waits for a
  /// reading, or the broker has gone.
  var isUrgent = false

  var readings: [Reading] = []
  /// Readings of a backlog that a live one may still date.
  var waiting: [Reading] = []
  /// Sensors that are waited for and not registered yet.
  var newcomers: Set<SensorID> = []
  var sensorStates: [SensorID: SensorState] = [:]
  var ruleStates: [UUID: RuleState] = [:]
  var alerts: [Alert] = []
  var backlogs: [SensorID: Backlog] = [:]

  /// How long a batch may wait to be filled.
  static let patience = Duration.seconds(5)
  /// How long when a live reading, which comes every ten seconds, would date others.
  static let patienceForDates = Duration.seconds(12)

  /// When it must be committed at the latest; nil while it is empty.
  var due: Duration? {
    begun.map { $0 + (waiting.isEmpty ? Self.patience : Self.patienceForDates) }
  }

  /// - Parameter limit: how many deliveries fill it.
  func isDue(at time: Duration, limit: Int) -> Bool {
    guard let due else { return false }
    return isUrgent || deliveries >= limit || time >= due
  }
}

/// What rules would have told of a sensor's readings, had these not come in too late.
struct Backlog: Sendable {
  /// A rule's state as it would be, and what it held against the readings.
  private struct Shadow: Sendable {
    var state: RuleState
    var hasFired = false
    var count = 0
    var newest: Timestamp?
    var extreme: Double?
  }

  private var shadows: [UUID: Shadow] = [:]

  /// Holds a late reading against a rule without touching the rule's state.
  mutating func evaluate(
    _ rule: Rule, _ reading: Reading, calibration: Double?, state: RuleState
  ) {
    var shadow = shadows[rule.id] ?? Shadow(state: state)
    defer { shadows[rule.id] = shadow }
    switch rule.evaluate(reading, calibration: calibration, state: &shadow.state) {
    case .fires: shadow.hasFired = true
    case .cooling where shadow.hasFired: break
    default: return
    }
    shadow.count += 1
    shadow.newest = reading.at
    let value = rule.field.value(of: reading.sound, calibration: calibration)
    let isDownwards = rule.comparison == .less || rule.comparison == .lessOrEqual
    shadow.extreme = [shadow.extreme, value].compactMap(\.self)
      .max { isDownwards ? $0 > $1 : $0 < $1 }
  }

  /// One alert for all of it; nil when no rule would have told anything.
  ///
  /// - Parameter told: rules that have fired on a fresh reading since, and so have told it already.
  func summary(of sensor: Sensor, rules: [Rule], told: Set<UUID>) -> Alert? {
    let fired = rules.compactMap { rule in
      shadows[rule.id].flatMap { shadow in
        shadow.hasFired && !told.contains(rule.id) ? (rule, shadow) : nil
      }
    }
    guard let first = fired.first, let at = fired.compactMap(\.1.newest).max() else { return nil }
    let severity = Severity.allCases.last { severity in
      fired.contains { $0.0.severity == severity }
    }
    // Several rules share no field, threshold and value: then it is the sensor's alert.
    let only = fired.count == 1 ? first : nil
    let label: String? = if let only { only.0.label } else { sensor.name.text }
    return Alert(
      id: UUID(), kind: .backlog, sensor: sensor.id, rule: only?.0.id,
      severity: severity ?? .high, state: severity?.isSilent == true ? .read : .unread, at: at,
      label: label, field: only?.0.field,
      comparison: only?.0.comparison, threshold: only?.0.threshold, value: only?.1.extreme,
      count: fired.map(\.1.count).max())
  }
}
