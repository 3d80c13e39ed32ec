import Domain
import Foundation
import Storage
import TestSupport
import Testing

@Suite("The sensors in the store")
struct SensorStoreTests {
  let store: TemporaryDatabase

  init() throws { store = try TemporaryDatabase() }

  @Test("are known by their chip id: enrolled again, one is updated and not doubled")
  func savedAgain() async throws {
    var sensor = try Sample.sensor()
    try await store.write { [sensor] in try SensorStore($0).save(sensor) }
    sensor.name = try SensorName("Salle des machines")
    sensor.account = "A0B1C2D3E4F5-2"
    sensor.calibrationOffset = 94.5
    try await store.write { [sensor] in try SensorStore($0).save(sensor) }
    #expect(try await store.read { try SensorStore($0).all() } == [sensor])
  }

  @Test("are listed by name")
  func sorted() async throws {
    let names = try await store.write { connection in
      let sensors = SensorStore(connection)
      try sensors.save(Sample.sensor(name: "Cour"))
      try sensors.save(Sample.sensor(Sample.other, name: "Atelier"))
      return try sensors.all().map(\.name.text)
    }
    #expect(names == ["Atelier", "Cour"])
  }

  @Test("are renamed and calibrated; an unknown one is not")
  func changed() async throws {
    let (sensor, unknown) = try await store.write { connection in
      let sensors = SensorStore(connection)
      try sensors.save(Sample.sensor())
      #expect(try sensors.rename(Sample.id, to: SensorName("Hall")))
      #expect(try sensors.setCalibration(Sample.id, offset: 90))
      return (
        try sensors.find(Sample.id), try sensors.rename(Sample.other, to: SensorName("Hall"))
      )
    }
    #expect(sensor?.name.text == "Hall" && sensor?.calibrationOffset == 90 && !unknown)
  }

  /// One sensor with a rule, a state, an alert and a reading.
  private func furnish(_ connection: SQLConnection) throws {
    try SensorStore(connection).save(Sample.sensor())
    try RuleStore(connection).insert(Sample.rule())
    try SensorStateStore(connection).save(SensorState(sensor: Sample.id, boot: 3))
    try AlertStore(connection).insert(Sample.alert())
    try ReadingStore(connection).insert(Sample.reading())
  }

  private struct Traces: Equatable {
    let sensors: Int
    let rules: Int
    let alerts: Int
    let unread: Int
    let states: Int
    let readings: Int
    let latest: Bool

    init(_ connection: SQLConnection) throws {
      sensors = try SensorStore(connection).all().count
      rules = try RuleStore(connection).all().count + RuleStore(connection).of(Sample.id).count
      alerts = try AlertStore(connection).list().count
      unread = try AlertStore(connection).unreadCount()
      states = try SensorStateStore(connection).all().count
      readings = try ReadingStore(connection).span(
        Sample.id, from: Sample.start, to: Sample.start + .seconds(1), limit: 10
      ).readings.count
      latest = try ReadingStore(connection).latest(Sample.id) != nil
    }

    init(all count: Int) {
      sensors = count
      rules = 2 * count
      alerts = count
      unread = count
      states = count
      readings = count
      latest = count > 0
    }
  }

  @Test("once removed are hidden with their history, and bring it back when enrolled again")
  func removed() async throws {
    let at = Sample.start + .seconds(60)
    try await store.write { try furnish($0) }
    #expect(try await store.read { try Traces($0) } == Traces(all: 1))
    let wasThere = try await store.write {
      try SensorStore($0).remove(Sample.id, at: at, purge: false)
    }
    #expect(wasThere)
    #expect(try await store.read { try Traces($0) } == Traces(all: 0))
    let kept = try await store.read { try SensorStore($0).removed() }
    #expect(kept.map(\.sensor.id) == [Sample.id] && kept.map(\.removedAt) == [at])
    let insertion = try await store.write { try ReadingStore($0).insert(Sample.reading()) }
    #expect(insertion == .unknownSensor)
    try await store.write { try SensorStore($0).save(Sample.sensor()) }
    #expect(try await store.read { try Traces($0) } == Traces(all: 1))
  }

  @Test("once purged are gone at once, and start anew when enrolled again")
  func purged() async throws {
    try await store.write { try furnish($0) }
    let wasThere = try await store.write {
      try SensorStore($0).remove(Sample.id, at: Sample.start, purge: true)
    }
    #expect(wasThere)
    #expect(try await store.read { try Traces($0) } == Traces(all: 0))
    try await store.write { try SensorStore($0).save(Sample.sensor()) }
    #expect(try await store.read { try ReadingStore($0).latest(Sample.id) } == nil)
    #expect(try await store.read { try Traces($0).readings } == 0)
    #expect(try await store.read { try ReadingStore($0).purgedSeries() } == [1])
  }

  @Test("removed long enough are purged, the others kept")
  func purgeRemoved() async throws {
    let count = try await store.write { connection in
      let sensors = SensorStore(connection)
      try sensors.save(Sample.sensor())
      try sensors.save(Sample.sensor(Sample.other))
      _ = try sensors.remove(Sample.id, at: Sample.start, purge: false)
      _ = try sensors.remove(Sample.other, at: Sample.start + .seconds(1), purge: false)
      return try sensors.purgeRemoved(before: Sample.start + .seconds(1))
    }
    #expect(count == 1)
    #expect(
      try await store.read { try SensorStore($0).removed().map(\.sensor.id) } == [Sample.other])
  }

  @Test("are listed with last level, time of the last reading, sparkline and last alert")
  func overviews() async throws {
    let minute = Duration.seconds(60)
    let list = try await store.write { connection in
      try furnish(connection)
      try SensorStore(connection).save(Sample.sensor(Sample.other, name: "Zone"))
      for second in 1...120 {
        try ReadingStore(connection).insert(
          Sample.reading(at: Sample.start + .seconds(second), level: second < 60 ? 20 : 60))
      }
      try AlertStore(connection).insert(Sample.alert(at: Sample.start + .seconds(90)))
      return try SensorStore(connection).overviews(
        from: Sample.start, to: Sample.start + .seconds(180), width: minute)
    }
    #expect(list.map(\.sensor.id) == [Sample.id, Sample.other])
    #expect(list[0].state?.boot == 3)
    #expect(list[0].latest?.at == Sample.start + .seconds(120))
    #expect(list[0].latest?.sound.soundPct == 60)
    #expect(list[0].sparkline.map(\.start) == [0, 60, 120].map { Sample.start + .seconds($0) })
    #expect(list[0].sparkline.map(\.count) == [60, 60, 1])
    #expect(list[0].lastAlert?.at == Sample.start + .seconds(90))
    #expect(list[1].state == nil && list[1].latest == nil && list[1].lastAlert == nil)
    #expect(list[1].sparkline == [])
  }

  @Test("have a state, which outlives a restart and is forgotten with them")
  func states() async throws {
    let state = SensorState(
      sensor: Sample.id, lastSeen: Sample.start, boot: 2, uptime: 55, isOnline: false,
      availabilityAt: Sample.start, firmware: "2.5.0", address: "192.168.1.20", rssi: -61,
      retainedStatus: Array("{}".utf8), retainedAt: Sample.start, refusedPayloads: 7)
    let (unknown, found, purged) = try await store.write { connection in
      let states = SensorStateStore(connection)
      try states.save(state)
      let unknown = try states.find(Sample.id)
      try SensorStore(connection).save(Sample.sensor())
      try states.save(state)
      let found = try states.find(Sample.id)
      _ = try SensorStore(connection).remove(Sample.id, at: Sample.start, purge: true)
      return (unknown, found, try states.find(Sample.id))
    }
    #expect(unknown == nil && found == state && purged == nil)
  }

  @Test("are read with a name that would be refused today")
  func oldName() throws {
    let name = try #require(SensorName(sqlValue: .text("Hall\u{202E}")))
    #expect(name.text == "Hall\u{202E}")
  }
}
