import Domain
import Foundation
import Services
import Storage
import TestSupport
import Testing

@Suite("The sensors and rules of the gateway", .timeLimit(.minutes(1)))
struct SensorListTests {
  private func overview(_ bench: IngestBench) async throws -> SensorOverview {
    let to = bench.time.now + .seconds(1)
    return try #require(
      try await bench.store.read {
        try SensorStore($0).overviews(from: to - .seconds(3_600), to: to, width: .seconds(60))
      }.first)
  }

  /// A bench with one sensor whose readings, one every ten seconds, have these levels.
  private func bench(levels: [Int]) async throws -> IngestBench {
    let bench = try IngestBench()
    let broker = FakeBroker()
    try await bench.enrol()
    try await ingest(levels, from: 100, bench, broker)
    return bench
  }

  private func ingest(
    _ levels: [Int], from uptime: Int, _ bench: IngestBench, _ broker: FakeBroker
  ) async throws {
    try await bench.ingesting(from: broker) { () async throws in
      let subscription = await bench.feed.subscribe(awaiting: sensorID(1))
      await broker.deliver(bench.connected)
      for (index, level) in levels.enumerated() {
        await broker.deliver(bench.status(level, uptime: uptime + index * 10))
        await broker.acknowledged(index + 1)
        bench.time.clock.advance(by: .seconds(10))
      }
      withExtendedLifetime(subscription) {}
    }
  }

  @Test("TC-IOS-MQTT-01: show the last level, the time since, and a sparkline")
  func list() async throws {
    // "chaque capteur affiche le dernier niveau sonore (dB), le temps relatif depuis la dernière
    // mesure, et le sparkline"
    let bench = try await bench(levels: [10, 20, 30, 40, 50, 60, 70])
    let overview = try await overview(bench)
    #expect(overview.latest?.sound.soundPct == 70)
    #expect(overview.latest?.sound.dbfsAvg == -40)
    #expect(overview.latest.map { bench.time.now - $0.at } == .seconds(10))
    #expect(overview.sparkline.map(\.count).reduce(0, +) == 7)
    #expect(overview.sparkline.map(\.maximum).max() == 70)
  }

  @Test("TC-IOS-MQTT-04: show when a sensor that is off was really last seen")
  func offline() async throws {
    // "le temps relatif 'last seen' reflète la dernière connexion réelle, pas de crash"
    let bench = try await bench(levels: [10, 20])
    let lastSeen = bench.time.now - .seconds(10)
    bench.time.clock.advance(by: .seconds(86_400))
    // The broker's copies come again, which is no sign of life.
    let broker = FakeBroker()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(
        bench.connected, bench.status(20, uptime: 110, isRetained: true),
        bench.message(
          "devices/\(sensorID(1))/availability", Array("offline".utf8), isRetained: true))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
    }
    let overview = try await overview(bench)
    #expect(overview.state?.lastSeen == lastSeen)
    #expect(overview.latest?.at == lastSeen)
    #expect(overview.state?.connectivity(at: bench.time.now) == .offline(since: lastSeen))
  }

  @Test("TC-IOS-DEV-01: keep the name that a sensor is given")
  func rename() async throws {
    // "nom mis à jour sur l'API et en local"
    let bench = try await bench(levels: [10])
    let name = try SensorName("Atelier")
    #expect(try await bench.store.write { try SensorStore($0).rename(sensorID(1), to: name) })
    #expect(try await overview(bench).sensor.name == name)
    // The next alert bears it.
    try await bench.rule()
    try await ingest([90], from: 200, bench, FakeBroker())
    let body = try #require(try await bench.outbox().first).body
    #expect(String(decoding: body, as: UTF8.self).contains(#""name":"Atelier""#))
  }

  @Test("TC-IOS-DEV-02: lose a sensor that is removed, and hear nothing more of it")
  func remove() async throws {
    // "capteur supprimé sur l'API, retiré de la liste"
    let bench = try await bench(levels: [10])
    try await bench.rule()
    let moment = bench.time.now
    #expect(
      try await bench.store.write {
        try SensorStore($0).remove(sensorID(1), at: moment, purge: false)
      })
    #expect(try await bench.store.read { try SensorStore($0).all() }.isEmpty)
    let broker = FakeBroker()
    try await bench.ingesting(from: broker) { () async throws in
      await broker.deliver(bench.status(99, uptime: 110))
      await bench.time.clock.sleeper(dueIn: .seconds(5))
    }
    #expect(try await bench.alerts().isEmpty)
    #expect(await bench.unclaimed.all.map(\.id) == [sensorID(1)])
  }

  @Test("TC-IOS-DEV-03: are there without any network, after a restart too")
  func withoutNetwork() async throws {
    // "capteurs toujours visibles (données locales), pas de crash"
    let bench = try await bench(levels: [10])
    let broker = FakeBroker()
    await broker.disconnect()
    try await bench.ingesting(from: broker) { () async throws in
      #expect(try await overview(bench).latest?.sound.soundPct == 10)
    }
  }

  // MARK: Rules

  @Test("are alerted by a rule without a label, whose delivery speaks English")
  func noLabel() async throws {
    let bench = try IngestBench()
    try await bench.enrol()
    try await bench.rule(label: nil)
    try await ingest([90], from: 100, bench, FakeBroker())
    let alert = try #require(try await bench.alerts().first)
    #expect(alert.label == nil && alert.field == .soundPct)
    let body = try #require(try await bench.outbox().first).body
    #expect(String(decoding: body, as: UTF8.self).contains(#""label":"Level %""#))
  }

  private func level(_ threshold: Double, cooldown: Int = 60) -> RuleDraft {
    RuleDraft(
      template: "level", comparison: .greater, threshold: threshold, cooldown: cooldown,
      label: "Loud")
  }

  @Test("TC-IOS-RULES-01, -02, -03: watch by a rule made from a template, within its bounds")
  func create() async throws {
    // "règle créée via API, visible dans la liste du capteur", "seuil bloqué aux bornes min/max, pas
    // d'envoi hors limites", "cooldown bloqué à la valeur minimale"
    let bench = try IngestBench()
    let sensor = try await bench.enrol()
    let (rule, adjustments) = try level(-5, cooldown: 1).rule(id: UUID(), for: sensor)
    #expect(adjustments == [.threshold(from: -5, to: 0), .cooldown(from: 1, to: 60)])
    try await bench.store.write { try RuleStore($0).insert(rule) }
    #expect(try await bench.store.read { try RuleStore($0).of(sensor.id) } == [rule])
    try await ingest([0, 1, 1], from: 100, bench, FakeBroker())
    #expect(try await bench.alerts().map(\.value) == [1])
  }

  @Test("TC-IOS-RULES-04: are not judged by a rule that is off")
  func toggle() async throws {
    // "état mis à jour via PATCH sur l'API, toggle reflète le nouvel état"
    let bench = try IngestBench()
    try await bench.enrol()
    let rule = try await bench.rule()
    for isEnabled in [false, true] {
      var toggled = rule
      toggled.isEnabled = isEnabled
      let patched = toggled
      #expect(try await bench.store.write { try RuleStore($0).update(patched) })
      #expect(try await bench.store.read { try RuleStore($0).find(rule.id) } == patched)
      try await ingest([90], from: isEnabled ? 110 : 100, bench, FakeBroker())
      #expect(try await bench.alerts().count == (isEnabled ? 1 : 0))
    }
  }

  @Test("TC-IOS-RULES-05: are judged by what a rule says now, with what it remembers")
  func edit() async throws {
    // "modifications persistées sur l'API"
    let bench = try IngestBench()
    let sensor = try await bench.enrol()
    let rule = try await bench.rule(cooldown: 600)
    let broker = FakeBroker()
    try await ingest([70, 90], from: 100, bench, broker)
    #expect(try await bench.alerts().map(\.value) == [90])
    var draft = RuleDraft(rule)
    draft.threshold = 60
    draft.cooldown = 60
    let (edited, _) = try draft.rule(id: rule.id, for: sensor)
    #expect(try await bench.store.write { try RuleStore($0).update(edited) })
    try await ingest([70, 70, 70, 70, 70, 70], from: 120, bench, FakeBroker())
    #expect(try await bench.alerts().map(\.value) == [90, 70])
  }

  @Test("TC-IOS-RULES-06: are not judged by a rule that is deleted")
  func delete() async throws {
    // "règle supprimée sur l'API, disparaît de la liste"
    let bench = try IngestBench()
    try await bench.enrol()
    let rule = try await bench.rule()
    #expect(try await bench.store.write { try RuleStore($0).delete(rule.id) })
    #expect(try await bench.store.read { try RuleStore($0).of(sensorID(1)) }.isEmpty)
    try await ingest([90], from: 100, bench, FakeBroker())
    #expect(try await bench.alerts().isEmpty)
  }
}
