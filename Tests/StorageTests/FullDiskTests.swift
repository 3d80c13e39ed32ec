import Domain
import Foundation
import Storage
import TestSupport
import Testing

/// A small disk of its own, in memory; making one takes the right to mount.
private final class SmallDisk: Sendable {
  let path: String
  private let directory: TemporaryDirectory

  init?(bytes: Int) {
    guard let directory = try? TemporaryDirectory(),
      mount("tmpfs", directory.path, "tmpfs", 0, "size=\(bytes)") == 0
    else { return nil }
    self.directory = directory
    path = directory.path
  }

  deinit { umount2(path, Int32(MNT_DETACH)) }

  /// Takes every free byte.
  func fill() throws {
    let filler = path + "/filler"
    try Data().write(to: URL(filePath: filler))
    let handle = try #require(FileHandle(forWritingAtPath: filler))
    for size in [1 << 16, 1 << 12] {
      while (try? handle.write(contentsOf: Data(count: size))) != nil {}
    }
    try handle.close()
  }

  func free() throws { try FileManager.default.removeItem(atPath: path + "/filler") }
}

@Suite(
  "A full disk", .enabled(if: SmallDisk(bytes: 1 << 20) != nil, "needs the right to mount a tmpfs"))
struct FullDiskTests {
  @Test(
    "D03: costs raw readings only: alerts are still stored, and readings again once there is room")
  func survival() async throws {
    // "rule states, alerts and outbox still commit; raw rows are then the one thing dropped, counted
    // …; status shows 'disk full', storing resumes by itself"
    let disk = try #require(SmallDisk(bytes: 8 << 20))
    let database = try Database(path: disk.path + "/soundgate.db", reserve: 2 << 20)
    let rule = Sample.rule()
    try await database.write { connection in
      try SensorStore(connection).save(Sample.sensor())
      try RuleStore(connection).insert(rule)
    }
    #expect(try await batch(0, rule, on: database) == Array(repeating: .stored, count: 50))
    try disk.fill()

    var batches = 1
    while await !database.condition().isSpaceShort, batches < 1_000 {
      _ = try await batch(batches, rule, on: database)
      batches += 1
    }
    for _ in 0..<5 {
      #expect(try await batch(batches, rule, on: database) == Array(repeating: .dropped, count: 50))
      batches += 1
    }
    #expect(await database.condition().droppedReadings == 300)
    #expect(await database.condition().isSpaceShort)

    try disk.free()
    #expect(try await batch(batches, rule, on: database) == Array(repeating: .stored, count: 50))
    batches += 1
    #expect(await !database.condition().isSpaceShort)
    let (alerts, messages, told, verdict) = try await database.read { connection in
      (
        try AlertStore(connection).unreadCount(), try OutboxStore(connection).counts().waiting,
        try RuleStore(connection).state(of: rule.id).isTold,
        try connection.value(
          "SELECT integrity_check AS value FROM pragma_integrity_check", as: String.self)
      )
    }
    #expect(alerts == batches && messages == batches && told && verdict == "ok")
  }

  /// Fifty readings and one alert in one transaction, as the ingest does.
  private func batch(
    _ number: Int, _ rule: Rule, on database: Database
  ) async throws -> [ReadingStore.Insertion] {
    try await database.write { connection in
      let at = Sample.start + .seconds(5 * number)
      let insertions = try (0..<50).map {
        try ReadingStore(connection).insert(Sample.reading(at: at + .milliseconds($0)))
      }
      try AlertStore(connection).insert(Sample.alert(at: at))
      try OutboxStore(connection).append(Sample.message(createdAt: at))
      try RuleStore(connection).saveState(RuleState(lastFired: at, isTold: true), of: rule.id)
      return insertions
    }
  }

  @Test("on which even an alert finds no room is told as full")
  func full() async throws {
    let disk = try #require(SmallDisk(bytes: 4 << 20))
    let database = try Database(path: disk.path + "/soundgate.db", reserve: 0)
    try disk.fill()
    let fault = await #expect(throws: Fault.self) {
      while true { try await database.write { try AlertStore($0).insert(Sample.alert(nil)) } }
    }
    #expect(fault?.code == .storeFull)
    #expect(await database.condition().fault?.code == .storeFull)
  }

  @Test("at the start is survived by giving up the reserve")
  func opening() async throws {
    let disk = try #require(SmallDisk(bytes: 8 << 20))
    let path = disk.path + "/soundgate.db"
    let first = try Database(path: path, reserve: 2 << 20)
    try await first.write { try SensorStore($0).save(Sample.sensor()) }
    await first.close()
    try disk.fill()
    let database = try Database(path: path, reserve: 2 << 20)
    try await database.write { try AlertStore($0).insert(Sample.alert()) }
    #expect(try await database.read { try SensorStore($0).all() }.count == 1)
  }

  @Test("keeps a new database from being made, and is not told as damage once there is room")
  func creation() async throws {
    let disk = try #require(SmallDisk(bytes: 1 << 20))
    let path = disk.path + "/soundgate.db"
    try disk.fill()
    let fault = #expect(throws: Fault.self) { try Database(path: path, reserve: 0) }
    #expect(fault?.code == .storeFull)
    #expect(fault?.detail.hasPrefix(path) == true, "\(String(describing: fault))")
    try disk.free()
    #expect(try Database(path: path, reserve: 0).opening == .fresh)
  }
}
