import Domain
import Foundation
import Storage
import TestSupport
import Testing

/// Runs every statement of the stores once, against a file with two sensors and some rows.
private func runEveryStatement(_ c: SQLConnection) throws {
  let sensors = SensorStore(c)
  try sensors.save(Sample.sensor())
  try sensors.save(Sample.sensor(Sample.other, name: "Cour"))
  _ = try (sensors.all(), sensors.find(Sample.id), sensors.removed())
  _ = try sensors.overviews(
    from: Sample.start, to: Sample.start + .seconds(60), width: .seconds(10))
  _ = try sensors.rename(Sample.id, to: SensorName("Hall"))
  _ = try sensors.setCalibration(Sample.id, offset: 94)

  let readings = ReadingStore(c)
  let end = Sample.start + .seconds(60)
  try readings.insert(Sample.reading())
  _ = try (readings.latest(Sample.id), readings.recentKeys(10), readings.newest())
  _ = try readings.span(Sample.id, from: Sample.start, to: end, limit: 10)
  _ = try readings.spanBackwards(Sample.id, from: Sample.start, to: end, limit: 10)
  _ = try readings.buckets(Sample.id, from: Sample.start, to: end, width: .seconds(10))
  _ = try readings.buckets(from: Sample.start, to: end, width: .seconds(10))

  let states = SensorStateStore(c)
  try states.save(SensorState(sensor: Sample.id))
  _ = try (states.all(), states.find(Sample.id))

  let rules = RuleStore(c)
  let rule = Sample.rule()
  try rules.insert(rule)
  try rules.saveState(RuleState(lastFired: Sample.start, isTold: true), of: rule.id)
  _ = try (rules.all(), rules.of(Sample.id), rules.find(rule.id), rules.update(rule))
  _ = try (rules.state(of: rule.id), rules.states())

  let alerts = AlertStore(c)
  let alert = Sample.alert()
  try alerts.insert(alert)
  for state in Alert.State.allCases {
    for sensor in [nil, Sample.id] {
      _ = try alerts.list(AlertFilter(sensor: sensor, state: state, from: Sample.start, to: end))
      _ = try alerts.list(AlertFilter(sensor: sensor, state: state, after: alert))
    }
  }
  _ = try (alerts.list(), alerts.find(alert.id), alerts.last(of: Sample.id))
  _ = try (alerts.unreadCount(), alerts.markRead(alert.id), alerts.markAllRead())
  _ = try (alerts.expire(before: end), alerts.deleteExpired(before: end))

  let outbox = OutboxStore(c)
  let message = Sample.message()
  try outbox.append(message)
  _ = try (outbox.due(at: end, limit: 1), outbox.nextAttempt(), outbox.find(message.id))
  try outbox.reschedule(message.id, at: end)
  try outbox.park(message.id, because: Fault(.backendRefused))
  _ = try (outbox.parked(), outbox.counts(), outbox.unpark(message.id, at: end))
  _ = try (outbox.dropOlder(than: end), outbox.deleteParked(before: end))
  try outbox.delivered(message.id)

  let enrolments = EnrolmentStore(c)
  let enrolment = Sample.enrolment()
  try enrolments.insert(enrolment)
  _ = try (enrolments.update(enrolment), enrolments.find(enrolment.id), enrolments.all())
  _ = try (enrolments.unfinished(), enrolments.unfinished(of: Sample.id))
  _ = try (enrolments.firstUnfinished(by: "anne"), enrolments.hasCompleted("anne"))
  try AuditStore(c).append(
    AuditEntry(
      enrolment: enrolment.id, at: end, operatorName: "anne", from: nil, to: "scanning",
      why: "begun", step: 1))
  _ = try AuditStore(c).of(enrolment.id)

  let accounts = AccountStore(c)
  try accounts.insert(
    AccountRecord(
      user: "a", sensor: Sample.id, number: 1, sealedPassword: [1], createdAt: end))
  _ = try (accounts.find("a"), accounts.live(), accounts.live(of: Sample.id))
  _ = try (accounts.nextNumber(for: Sample.id), accounts.advance("a", to: .proven))
  try accounts.remove("a")

  let networks = NetworkStore(c)
  try networks.save(NetworkRecord(ssid: "Atelier", sealedKey: [1], lastUsedAt: end))
  _ = try (networks.all(), networks.find("Atelier"), networks.forget("x"), networks.forgetAll())

  let settings = SettingStore(c)
  try settings.set(.destinationURL, to: "https://example.org")
  _ = try settings.value(.destinationURL, as: String.self)
  try settings.remove(.destinationURL)

  _ = try readings.deleteOlder(than: end, limit: 10)
  _ = try sensors.remove(Sample.other, at: end, purge: true)
  _ = try readings.deletePurged(after: nil, limit: 10)
  try readings.finishPurge(of: readings.purgedSeries())
  _ = try sensors.remove(Sample.id, at: end, purge: false)
  _ = try sensors.purgeRemoved(before: end + .seconds(1))
}

@Suite("The statements of the stores")
struct StatementTests {
  @Test("D04: none of them reads a growing table from end to end")
  func plans() async throws {
    // "an index is used and nothing beyond the asked span is scanned (check EXPLAIN QUERY PLAN)"
    let store = try TemporaryDatabase()
    let scans = try await store.write { connection in
      try runEveryStatement(connection)
      var scans: [String] = []
      for sql in connection.preparedStatements {
        let plan = try connection.query("EXPLAIN QUERY PLAN \(sql)") {
          (row: SQLRow) throws(SQLiteError) -> String in
          try row["detail"]
        }
        // In the order of the key and with a limit, a scan ends after a few rows.
        let isLimited = sql.contains("LIMIT") && !plan.contains { $0.contains("TEMP B-TREE") }
        let growing = ["reading", "alert", "outbox", "enrolment", "audit"]
        for line in plan where growing.contains(where: { line == "SCAN \($0)" }) && !isLimited {
          scans.append("\(line): \(sql)")
        }
      }
      return scans
    }
    #expect(scans == [])
  }
}
