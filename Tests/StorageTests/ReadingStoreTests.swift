import Domain
import Foundation
import Storage
import TestSupport
import Testing

@Suite("The readings in the store")
struct ReadingStoreTests {
  let store: TemporaryDatabase
  let end = Sample.start + .seconds(3_600)

  init() async throws {
    store = try TemporaryDatabase()
    try await store.write { connection in
      try SensorStore(connection).save(Sample.sensor())
      try SensorStore(connection).save(Sample.sensor(Sample.other))
    }
  }

  private func insert(_ readings: [Reading]) async throws {
    let insertions = try await store.write { connection in
      try readings.map { try ReadingStore(connection).insert($0) }
    }
    #expect(insertions.allSatisfy { $0 == .stored })
  }

  @Test("come back as they were stored")
  func roundTrip() async throws {
    let reading = Reading(
      sensor: Sample.id, at: Sample.start, isDated: false, boot: 4,
      sound: SoundStatus(
        soundPct: 41, soundAvg: 39, soundMin: 3, soundMax: 77, dbfsAvg: -38, dbfsEwma: -40,
        uptime: 123, rssi: -70, contentHash: .max))
    try await insert([reading, Sample.reading(Sample.other, level: 0)])
    let page = try await store.read {
      try ReadingStore($0).span(Sample.id, from: Sample.start, to: end, limit: 10)
    }
    #expect(page.readings == [reading] && page.next == nil)
    #expect(try await store.read { try ReadingStore($0).latest(Sample.id) } == reading)
  }

  @Test("M09: of one sensor and one millisecond are all kept")
  func sameMillisecond() async throws {
    // "Two readings with equal level but different time are both kept"; so are two of one moment,
    // whose keys tell them apart.
    let readings = (0..<3).map { Sample.reading(uptime: 60 + $0) }
    try await insert(readings)
    let found = try await store.read {
      try ReadingStore($0).span(Sample.id, from: Sample.start, to: end, limit: 10).readings
    }
    #expect(found == readings)
  }

  @Test("of a sensor that is not ours are not stored, and fail nothing")
  func unknownSensor() async throws {
    let stranger = try #require(SensorID("FFFFFFFFFFFF"))
    let insertion = try await store.write { try ReadingStore($0).insert(Sample.reading(stranger)) }
    #expect(insertion == .unknownSensor)
  }

  @Test("have a newest one, which a late older one does not replace")
  func latest() async throws {
    try await insert([
      Sample.reading(at: Sample.start + .seconds(9), level: 9),
      Sample.reading(at: Sample.start + .seconds(3), level: 3),
      Sample.reading(at: Sample.start + .seconds(9), level: 10),
    ])
    #expect(try await store.read { try ReadingStore($0).latest(Sample.id)?.sound.soundPct } == 10)
    #expect(try await store.read { try ReadingStore($0).newest() } == Sample.start + .seconds(9))
  }

  @Test("leave the newest one behind when they are deleted")
  func latestOutlives() async throws {
    try await insert([Sample.reading(level: 33)])
    let deleted = try await store.write { try ReadingStore($0).deleteOlder(than: end, limit: 10) }
    #expect(deleted == 1)
    #expect(try await store.read { try ReadingStore($0).latest(Sample.id)?.sound.soundPct } == 33)
  }

  @Test("M09: give their newest keys, oldest first, to know a redelivery by")
  func recentKeys() async throws {
    let readings = (0..<5).map {
      Sample.reading(
        $0 % 2 == 0 ? Sample.id : Sample.other, at: Sample.start + .seconds($0), uptime: $0,
        hash: .max - UInt64($0))
    }
    try await insert(readings)
    #expect(
      try await store.read { try ReadingStore($0).recentKeys(3) } == readings[2...].map(\.key))
  }

  @Test(
    "are paged forwards and backwards without a gap or a repetition", arguments: [1, 2, 3, 7, 100])
  func pages(limit: Int) async throws {
    // Two share each moment, so that pages also end between them.
    let readings = (0..<10).map {
      Sample.reading(at: Sample.start + .seconds($0 / 2), level: $0, uptime: $0)
    }
    try await insert(readings)
    try await insert(readings.map { Sample.reading(Sample.other, at: $0.at) })
    let from = Sample.start + .seconds(1)
    let to = Sample.start + .seconds(4)
    let expected = Array(2...7)

    var forwards: [Int] = []
    var cursor: ReadingCursor?
    repeat {
      let page = try await store.read { [cursor] in
        try ReadingStore($0).span(Sample.id, from: from, to: to, after: cursor, limit: limit)
      }
      forwards += page.readings.map(\.sound.soundPct)
      cursor = page.next
    } while cursor != nil
    #expect(forwards == expected)

    var backwards: [Int] = []
    repeat {
      let page = try await store.read { [cursor] in
        try ReadingStore($0).spanBackwards(
          Sample.id, from: from, to: to, after: cursor, limit: limit)
      }
      backwards += page.readings.map(\.sound.soundPct)
      cursor = page.next
    } while cursor != nil
    #expect(backwards == expected.reversed())
  }

  @Test("are summed up in slices; the mean of dBFS is one of energy")
  func buckets() async throws {
    try await insert([
      Sample.reading(at: Sample.start, level: 10, peak: 20, dbfs: -20),
      Sample.reading(at: Sample.start + .milliseconds(59_999), level: 30, peak: 90, dbfs: -10),
      Sample.reading(at: Sample.start + .seconds(180), level: 50),
      Sample.reading(at: Sample.start + .seconds(240), level: 99),
      Sample.reading(Sample.other, at: Sample.start, level: 99),
    ])
    let buckets = try await store.read {
      try ReadingStore($0).buckets(
        Sample.id, from: Sample.start, to: Sample.start + .seconds(240), width: .seconds(60))
    }
    #expect(buckets.map(\.start) == [Sample.start, Sample.start + .seconds(180)])
    #expect(buckets.map(\.count) == [2, 1])
    #expect(buckets[0].minimum == 10 && buckets[0].mean == 20 && buckets[0].maximum == 30)
    #expect(buckets[0].peak == 90 && buckets[1].peak == nil && buckets[1].energyMean == nil)
    // 10·log10((10^−2 + 10^−1) / 2) = −12.596 dBFS
    #expect(abs(try #require(buckets[0].energyMean) + 12.596) < 0.001)
  }

  @Test("are summed up over days as in one piece", arguments: [7, 3_600, 100_000])
  func history(width: Int) async throws {
    try await insert(
      (0..<600).map { Sample.reading(at: Sample.start + .seconds(977 * $0), level: $0 % 100) })
    let width = Duration.seconds(width)
    let to = Sample.start + .seconds(500_000)
    let whole = try await store.read {
      try ReadingStore($0).buckets(Sample.id, from: Sample.start, to: to, width: width)
    }
    let pieces = try await store.database.history(
      of: Sample.id, from: Sample.start, to: to, width: width)
    #expect(pieces == whole && whole.count > 4)
  }

  @Test("are deleted oldest first, in batches, up to a moment")
  func deletion() async throws {
    try await insert((0..<10).map { Sample.reading(at: Sample.start + .seconds($0 / 2)) })
    let until = Sample.start + .seconds(4)
    var counts: [Int] = []
    repeat {
      counts.append(
        try await store.write { try ReadingStore($0).deleteOlder(than: until, limit: 3) })
    } while counts.last != 0
    #expect(counts == [4, 4, 0])
    #expect(try await store.read { try ReadingStore($0).recentKeys(10).count } == 2)
  }

  @Test("of purged sensors are deleted in batches, and no others")
  func purge() async throws {
    try await insert(
      (0..<20).map {
        Sample.reading(
          $0 % 2 == 0 ? Sample.id : Sample.other, at: Sample.start + .seconds($0), uptime: $0)
      })
    _ = try await store.write { try SensorStore($0).remove(Sample.id, at: end, purge: true) }
    var position: Timestamp?
    var batches = 0
    repeat {
      position = try await store.write { [position] in
        try ReadingStore($0).deletePurged(after: position, limit: 4)
      }
      batches += 1
    } while position != nil
    let rows = try await store.read {
      try $0.value("SELECT count(*) AS value FROM reading", as: Int.self)
    }
    #expect(batches == 6 && rows == 10)
    try await store.write { connection in
      let readings = ReadingStore(connection)
      try readings.finishPurge(of: readings.purgedSeries())
    }
    #expect(try await store.read { try ReadingStore($0).purgedSeries() } == [])
  }
}
