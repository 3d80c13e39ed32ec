import Domain
import Foundation
import Storage
import TestSupport
import Testing

@Suite("Rules and alerts in the store")
struct AlertStoreTests {
  let store: TemporaryDatabase

  init() async throws {
    store = try TemporaryDatabase()
    try await store.write { try SensorStore($0).save(Sample.sensor()) }
  }

  private func insert(_ alerts: [Alert]) async throws {
    try await store.write { connection in
      for alert in alerts { try AlertStore(connection).insert(alert) }
    }
  }

  private func list(_ filter: AlertFilter = AlertFilter()) async throws -> [Alert] {
    try await store.read { try AlertStore($0).list(filter) }
  }

  @Test("a rule is changed, and stays with its sensor and template")
  func ruleChanged() async throws {
    var rule = Sample.rule()
    try await store.write { [rule] in try RuleStore($0).insert(rule) }
    rule.field = .dbfsAvg
    rule.comparison = .lessOrEqual
    rule.threshold = -12.5
    rule.cooldown = 3_600
    rule.label = "Trop calme"
    rule.severity = .critical
    rule.isEnabled = false
    let changed = rule
    let (wasThere, found, ofSensor) = try await store.write { connection in
      let rules = RuleStore(connection)
      return (
        try rules.update(changed), try rules.find(changed.id), try rules.of(Sample.id)
      )
    }
    #expect(wasThere && found == changed && ofSensor == [changed])
  }

  @Test("R01: what a rule remembers is kept with its alert, or neither is")
  func ruleState() async throws {
    // "cooldown and 'already told' are in SQLite, written in the same transaction as the alert"
    let rule = Sample.rule()
    let alert = Sample.alert()
    let told = RuleState(lastFired: Sample.start, isTold: true)
    try await store.write { try RuleStore($0).insert(rule) }
    #expect(try await store.read { try RuleStore($0).state(of: rule.id) } == RuleState())
    await #expect(throws: Fault.self) {
      try await store.write { connection in
        try AlertStore(connection).insert(alert)
        try RuleStore(connection).saveState(told, of: rule.id)
        try AlertStore(connection).insert(alert)
      }
    }
    #expect(try await store.read { try RuleStore($0).states() } == [:])
    try await store.write { connection in
      try AlertStore(connection).insert(alert)
      try RuleStore(connection).saveState(told, of: rule.id)
    }
    #expect(try await store.read { try RuleStore($0).states() } == [rule.id: told])
    #expect(try await list() == [alert])
  }

  @Test("a deleted rule is gone with its state; its alerts stay")
  func ruleDeleted() async throws {
    let rule = Sample.rule()
    try await insert([Sample.alert()])
    let (first, second) = try await store.write { connection in
      let rules = RuleStore(connection)
      try rules.insert(rule)
      try rules.saveState(RuleState(isTold: true), of: rule.id)
      let answers = (try rules.delete(rule.id), try rules.delete(rule.id))
      // An evaluation begun before may still come to be saved.
      try rules.saveState(RuleState(isTold: true), of: rule.id)
      return answers
    }
    #expect(first && !second)
    #expect(try await store.read { try RuleStore($0).states() } == [:])
    #expect(try await list().count == 1)
  }

  @Test("an alert comes back as it was stored")
  func roundTrip() async throws {
    let alerts = [
      Sample.alert(),
      Alert(
        id: UUID(), kind: .undelivered, sensor: nil, severity: .warn, state: .read,
        at: Sample.start - .seconds(1), label: nil, count: 12),
    ]
    try await insert(alerts)
    #expect(try await list() == alerts)
    #expect(try await store.read { try AlertStore($0).find(alerts[1].id) } == alerts[1])
  }

  @Test("alerts are listed newest first, by sensor, state and span, page by page")
  func filters() async throws {
    let alerts = (0..<6).map { number in
      Sample.alert(
        number % 3 == 0 ? nil : Sample.id, at: Sample.start + .seconds(number / 2),
        state: number < 2 ? .read : .unread)
    }
    try await insert(alerts)
    let all = try await list()
    #expect(Set(all.map(\.id)) == Set(alerts.map(\.id)))
    #expect(all.map(\.at) == all.map(\.at).sorted(by: >))
    let second = Sample.start + .seconds(1)
    let bySensor = all.filter { $0.sensor == Sample.id }
    let read = all.filter { $0.state == .read }
    let late = all.filter { $0.at >= second }
    let early = all.filter { $0.at < second }
    #expect(try await list(AlertFilter(sensor: Sample.id)) == bySensor)
    #expect(try await list(AlertFilter(state: .read)) == read)
    #expect(try await list(AlertFilter(from: second)) == late)
    #expect(try await list(AlertFilter(to: second)) == early)
    var pages: [Alert] = []
    while true {
      let page = try await list(AlertFilter(after: pages.last, limit: 1))
      if page.isEmpty { break }
      pages += page
    }
    #expect(pages == all)
    let last = try await store.read { try AlertStore($0).last(of: Sample.id) }
    #expect(last == bySensor.first)
  }

  @Test("the unread count is the number of unread alerts in the list, whatever happens")
  func unread() async throws {
    let alerts = (0..<4).map { Sample.alert(at: Sample.start + .seconds($0)) }
    try await insert(alerts + [Sample.alert(SensorID("FFFFFFFFFFFF"))])
    func count() async throws -> Int {
      let count = try await store.read { try AlertStore($0).unreadCount() }
      #expect(try await list(AlertFilter(state: .unread)).count == count)
      return count
    }
    #expect(try await count() == 4)
    let (first, again, unknown) = try await store.write { connection in
      let store = AlertStore(connection)
      return (
        try store.markRead(alerts[0].id), try store.markRead(alerts[0].id),
        try store.markRead(UUID())
      )
    }
    #expect(first && again && !unknown)
    #expect(try await count() == 3)
    let expired = try await store.write { try AlertStore($0).expire(before: alerts[2].at) }
    #expect(expired == 3)
    #expect(try await count() == 2)
    let marked = try await store.write { try AlertStore($0).markAllRead() }
    #expect(marked == 2)
    #expect(try await count() == 0)
  }

  @Test("an expired alert leaves the list, can be asked for, and is deleted later")
  func expiry() async throws {
    let old = Sample.alert()
    let new = Sample.alert(at: Sample.start + .seconds(10))
    try await insert([old, new])
    _ = try await store.write { try AlertStore($0).expire(before: new.at) }
    #expect(try await list() == [new])
    #expect(try await list(AlertFilter(state: .expired)).map(\.id) == [old.id])
    let deleted = try await store.write {
      try AlertStore($0).deleteExpired(before: new.at + .seconds(1))
    }
    #expect(deleted == 1)
    #expect(try await list(AlertFilter(state: .expired)).isEmpty)
  }
}
