import Domain
import FoundationEssentials
import Storage
import Texts

/// A closed batch: everything one transaction writes. Applying it is all that a commit does.
struct IngestWrite: Sendable {
  let readings: [Reading]
  let newcomers: Set<SensorID>
  let sensorStates: [SensorState]
  let ruleStates: [UUID: RuleState]
  let alerts: [Alert]
  let messages: [OutboxMessage]

  var isEmpty: Bool { readings.isEmpty && sensorStates.isEmpty && alerts.isEmpty }

  /// - Parameter time: when newcomers were first heard.
  /// - Returns: what became of each reading.
  func apply(
    to connection: SQLConnection, at time: Timestamp
  ) throws -> [ReadingStore.Insertion] {
    for newcomer in newcomers { try SensorStore(connection).prepare(newcomer, at: time) }
    let store = ReadingStore(connection)
    let insertions = try readings.map {
      try store.insert($0, evenIfHidden: newcomers.contains($0.sensor))
    }
    for state in sensorStates { try SensorStateStore(connection).save(state) }
    for (rule, state) in ruleStates { try RuleStore(connection).saveState(state, of: rule) }
    for alert in alerts { try AlertStore(connection).insert(alert) }
    for message in messages { try OutboxStore(connection).append(message) }
    return insertions
  }
}

extension OutboxMessage {
  /// The delivery of an alert, due at once. The backend is a program: it gets a rule without a label
  /// under the template's English name.
  init(
    of alert: Alert, gateway: String, sensorName: SensorName?, at time: Timestamp
  ) throws {
    let body = AlertBody(
      alert: alert, gateway: gateway, sensorName: sensorName, label: alert.title.english)
    self.init(id: alert.id, createdAt: time, body: try body.encoded(), nextAttempt: time)
  }
}
