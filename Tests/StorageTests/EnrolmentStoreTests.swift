import Domain
import Foundation
import Storage
import TestSupport
import Testing

@Suite("Enrolments in the store")
struct EnrolmentStoreTests {
  let store: TemporaryDatabase

  init() throws { store = try TemporaryDatabase() }

  private func entry(_ enrolment: UUID, to state: String, step: Int = 1) -> AuditEntry {
    AuditEntry(
      enrolment: enrolment, at: Sample.start, operatorName: "anne", from: nil, to: state,
      why: "chosen", step: step)
  }

  @Test("PD-176 invariant 5: progress is persisted, all of it")
  func progress() async throws {
    // « L’état d’avancement de l’onboarding est persisté »
    var record = Sample.enrolment()
    try await store.write { [record] in try EnrolmentStore($0).insert(record) }
    record.sensor = Sample.id
    record.address = BluetoothAddress("AA:BB:CC:DD:EE:FF")
    record.step = 2
    record.account = "A0B1C2D3E4F5-1"
    record.progress = #"{"window":"é"}"#
    record.updatedAt = Sample.start + .seconds(5)
    let changed = record
    let (wasThere, found, unfinished, ofSensor) = try await store.write { connection in
      let store = EnrolmentStore(connection)
      return (
        try store.update(changed), try store.find(changed.id), try store.unfinished(),
        try store.unfinished(of: Sample.id)
      )
    }
    #expect(wasThere && found == changed && unfinished == [changed] && ofSensor == changed)
  }

  @Test("PD-176 invariant 2: a step is neither skipped nor taken back", arguments: [1, 3, 4, 5])
  func order(step: Int) async throws {
    // « Les étapes sont parcourues dans un ordre strictement séquentiel »
    var record = Sample.enrolment(sensor: Sample.id)
    try await store.write { [record] in
      var second = record
      second.step = 2
      try EnrolmentStore($0).insert(record)
      _ = try EnrolmentStore($0).update(second)
    }
    record.step = step == 3 ? 4 : step
    await #expect(throws: Fault.self) {
      _ = try await store.write { [record] in try EnrolmentStore($0).update(record) }
    }
    #expect(try await store.read { try EnrolmentStore($0).unfinished().map(\.step) } == [2])
  }

  @Test("PD-176 invariant 4: only the fifth step can be completed, and with a sensor")
  func completion() async throws {
    // « … que si les cinq étapes ont été validées »
    var early = Sample.enrolment(sensor: Sample.id)
    try await store.write { [early] in try EnrolmentStore($0).insert(early) }
    early.isCompleted = true
    await #expect(throws: Fault.self) {
      _ = try await store.write { [early] in try EnrolmentStore($0).update(early) }
    }
  }

  @Test("PD-176 invariant 6: a completed enrolment is completed for good, and its operator with it")
  func irreversible() async throws {
    // « Un utilisateur ayant complété l’onboarding n’est plus soumis à ce parcours »
    var record = Sample.enrolment(sensor: Sample.id)
    let (before, after) = try await store.write { [start = record] connection in
      let store = EnrolmentStore(connection)
      try store.insert(start)
      let before = try store.hasCompleted("anne")
      var next = start
      for step in 2...5 {
        next.step = step
        _ = try store.update(next)
      }
      next.isCompleted = true
      _ = try store.update(next)
      return (before, try store.hasCompleted("anne"))
    }
    #expect(!before && after)
    #expect(try await !store.read { try EnrolmentStore($0).hasCompleted("bruno") })
    record.step = 5
    record.ended = .cancelled
    await #expect(throws: Fault.self) {
      _ = try await store.write { [record] in try EnrolmentStore($0).update(record) }
    }
    let kept = try await store.read { try EnrolmentStore($0).all() }
    #expect(kept.map(\.isCompleted) == [true])
  }

  @Test("a sensor has one unfinished enrolment; when it has ended, another may begin")
  func onePerSensor() async throws {
    var first = Sample.enrolment(sensor: Sample.id)
    let second = Sample.enrolment(sensor: Sample.id, by: "bruno")
    try await store.write { [first] in try EnrolmentStore($0).insert(first) }
    await #expect(throws: Fault.self) {
      try await store.write { try EnrolmentStore($0).insert(second) }
    }
    first.ended = .cancelled
    try await store.write { [first] connection in
      _ = try EnrolmentStore(connection).update(first)
      try EnrolmentStore(connection).insert(second)
    }
    #expect(try await store.read { try EnrolmentStore($0).unfinished(of: Sample.id) } == second)
    #expect(try await store.read { try EnrolmentStore($0).firstUnfinished(by: "anne") } == nil)
    #expect(try await store.read { try EnrolmentStore($0).firstUnfinished(by: "bruno") } == second)
    #expect(try await store.read { try EnrolmentStore($0).all().count } == 2)
  }

  @Test("PD-176 invariant 7: every transition is traceable, in the order in which it came")
  func audit() async throws {
    // « Toute validation ou transition d’étape est traçable »
    let (one, two) = (Sample.enrolment(), Sample.enrolment())
    let entries = ["scanning", "connecting", "awaitingWiFi"].map { entry(one.id, to: $0) }
    try await store.write { connection in
      try EnrolmentStore(connection).insert(one)
      try EnrolmentStore(connection).insert(two)
      for item in entries {
        try AuditStore(connection).append(item)
        try AuditStore(connection).append(entry(two.id, to: "scanning"))
      }
    }
    #expect(try await store.read { try AuditStore($0).of(one.id) } == entries)
  }

  @Test("an account advances until it is removed; its number is never given again")
  func accounts() async throws {
    let account = AccountRecord(
      user: "A0B1C2D3E4F5-1", sensor: Sample.id, number: 1, sealedPassword: [1, 2],
      createdAt: Sample.start)
    try await store.write { connection in
      let accounts = AccountStore(connection)
      #expect(try accounts.nextNumber(for: Sample.id) == 1)
      try accounts.insert(account)
      #expect(try accounts.advance(account.user, to: .written))
      #expect(try accounts.live(of: Sample.id).map(\.state) == [.written])
      #expect(try accounts.find(account.user)?.sealedPassword == [1, 2])
      try accounts.remove(account.user)
      #expect(try accounts.find(account.user)?.sealedPassword == nil)
      #expect(try !accounts.advance(account.user, to: .proven))
      #expect(try accounts.live().isEmpty)
      #expect(try accounts.nextNumber(for: Sample.id) == 2)
    }
  }

  @Test("networks are offered again, the last used first, until they are forgotten")
  func networks() async throws {
    let office = NetworkRecord(ssid: "Bureau é", sealedKey: [1], lastUsedAt: Sample.start)
    let yard = NetworkRecord(ssid: "Cour", sealedKey: [2], lastUsedAt: Sample.start + .seconds(1))
    try await store.write { connection in
      let networks = NetworkStore(connection)
      try networks.save(office)
      try networks.save(yard)
      #expect(try networks.all() == [yard, office])
      var again = office
      again.sealedKey = [3]
      again.lastUsedAt = Sample.start + .seconds(2)
      try networks.save(again)
      #expect(try networks.all() == [again, yard])
      #expect(try networks.find(office.ssid) == again)
      #expect(try networks.forget(yard.ssid))
      #expect(try !networks.forget(yard.ssid))
      #expect(try networks.forgetAll() == 1)
    }
  }

  @Test("a setting keeps its kind, is replaced and removed")
  func settings() async throws {
    try await store.write { connection in
      let settings = SettingStore(connection)
      #expect(try settings.value(.destinationURL, as: String.self) == nil)
      try settings.set(.destinationURL, to: "https://example.org/a")
      try settings.set(.destinationURL, to: "https://example.org/b")
      try settings.set(.destinationSecret, to: [UInt8](0...255))
      #expect(try settings.value(.destinationURL) == "https://example.org/b")
      #expect(try settings.value(.destinationSecret) == [UInt8](0...255))
      try settings.remove(.destinationURL)
      #expect(try settings.value(.destinationURL, as: String.self) == nil)
    }
  }
}
