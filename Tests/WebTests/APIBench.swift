import Crypto
import Domain
import Foundation
import HTTPClient
import Host
import Services
import Storage
import TestSupport
import Testing
import Web

/// The API without a socket: its routes over a real database, with fakes of radio, accounts and time.
struct APIBench {
  static let chip = SensorID("332211CCBBAA")!
  static let address = BluetoothAddress("AA:BB:CC:11:22:35")!
  static let started = Timestamp(seconds: 1_790_000_000)

  let store: TemporaryDatabase
  let radio = FakeRadio()
  let accounts = FakeAccounts()
  let feed = ReadingFeed()
  let unclaimed = UnclaimedSensors()
  let board: StatusBoard
  let time = ManualTime(start: started)
  let published = Journal<String>()
  let bell = Bell()
  let seal = SealKey.temporary()
  let desk: EnrolmentDesk
  let router: Router

  /// - Parameter answersReset: whether the sensor answers a reset that was sent to it.
  init(answersReset: Bool = true) throws {
    store = try TemporaryDatabase()
    board = StatusBoard(now: time.wallClock)
    let published = published
    desk = EnrolmentDesk(
      EnrolmentContext(
        radio: radio, accounts: accounts, database: store.database, feed: feed,
        unclaimed: unclaimed, seal: seal,
        publish: { [feed] topic, _ async throws(Fault) in
          published.note(topic)
          if answersReset, case .resetAcknowledgement(let sensor) = Topic("\(topic)/ack") {
            await feed.noteReset(of: sensor)
          }
        }, clock: time.clock,
        now: time.wallClock))
    router = Endpoints(
      database: store.database, desk: desk,
      sensors: SensorDesk(
        database: store.database, accounts: accounts, unclaimed: unclaimed, desk: desk,
        now: time.wallClock),
      board: board, feed: feed, unclaimed: unclaimed, sealKey: seal, outboxBell: bell,
      judgeURL: CurlCourier.judge,
      identity: Endpoints.Identity(
        gateway: "0b7e6a52-9a0e-4a55-8a43-0e8f5b6a1c11", site: "Mairie", version: "0.1.0",
        startedAt: Self.started),
      now: time.wallClock
    ).router()
  }

  /// An answer, read.
  struct Answer {
    let status: Int
    let headers: [String: String]
    let text: String

    func json<Value: Decodable>(
      _ type: Value.Type = Value.self, _ place: SourceLocation = #_sourceLocation
    ) throws -> Value {
      try #require(
        try? API.decode(type, from: Array(text.utf8)), "\(status) \(text)", sourceLocation: place)
    }

    /// What went wrong.
    func failure(_ place: SourceLocation = #_sourceLocation) throws -> API.Failure.Content {
      try json(API.Failure.self, place).error
    }
  }

  /// Asks as a program would.
  ///
  /// - Parameter body: the JSON as it is sent.
  func ask(
    _ method: String, _ path: String, _ body: String = "", language: String = "en",
    by peer: String = "anne"
  ) async throws -> Answer {
    let parts = path.split(separator: "?", maxSplits: 1)
    let query = parts.count < 2 ? [] : parts[1].split(separator: "&")
    let pairs = query.map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count > 1 ? String(sides[1]) : "")
    }
    let response = await router.answer(
      Request(
        method: method, path: String(parts[0]), query: Dictionary(uniqueKeysWithValues: pairs),
        headers: ["accept-language": language], body: Array(body.utf8), peer: peer))
    guard case .bytes(let bytes) = response.body else {
      throw Fault(.internalFault, "\(path) answers with a stream")
    }
    return Answer(
      status: response.status,
      headers: Dictionary(response.headers.map { ($0.name, $0.value) }) { first, _ in first },
      text: String(decoding: bytes, as: UTF8.self))
  }

  // MARK: What is waited for

  /// Until the list of sensors nearby has one.
  func radioHeard() async {
    for await list in await desk.scan() where !list.sensors.isEmpty { return }
  }

  /// Until the enrolment of that path is in a state.
  func reached(_ state: String, _ path: String) async throws {
    let id = try #require(UUID(uuidString: String(path.suffix(36))))
    for await view in try await desk.updates(of: id) where view.state == state { return }
    Issue.record("the enrolment ended before it was \(state)")
  }

  // MARK: What is there

  func enrol(
    _ chip: SensorID = chip, name: String = "Stairwell", calibration: Double? = nil
  ) async throws {
    let sensor = Sensor(
      id: chip, name: try SensorName(name), enrolledAt: Self.started,
      calibrationOffset: calibration)
    try await store.write { try SensorStore($0).save(sensor) }
  }

  /// Stores a reading of each level, the last one now, ten seconds apart.
  func read(_ levels: [Int], of chip: SensorID = chip) async throws {
    let readings = try levels.enumerated().map { index, level in
      let uptime = 100 + index * 10
      return Reading(
        sensor: chip, at: time.now - .seconds((levels.count - 1 - index) * 10), boot: 1,
        sound: try Payload.sound(StatusSample.status(level: level, uptime: uptime)))
    }
    try await store.write { connection in
      for reading in readings { _ = try ReadingStore(connection).insert(reading) }
    }
  }

  @discardableResult
  func alert(
    _ label: String? = "Too loud", secondsAgo: Int = 0, of chip: SensorID = chip
  ) async throws -> UUID {
    let alert = Alert(
      id: UUID(), kind: .rule, sensor: chip, rule: UUID(), severity: .high, state: .unread,
      at: time.now - .seconds(secondsAgo), label: label, field: .soundPct, comparison: .greater,
      threshold: 80, value: 91.5)
    try await store.write { try AlertStore($0).insert(alert) }
    return alert.id
  }
}
