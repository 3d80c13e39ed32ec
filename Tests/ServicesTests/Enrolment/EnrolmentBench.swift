import Crypto
import Domain
import Foundation
import Host
import Services
import Storage
import TestSupport
import Testing

/// A desk between fakes of radio, link, accounts and time, on a real database.
struct EnrolmentBench {
  static let sensor = SensorID("332211CCBBAA")!
  static let address = BluetoothAddress("AA:BB:CC:11:22:35")!
  static let start = Timestamp(seconds: 1_800_000_000)
  static let ssid = "Atelier"
  static let key = Secret("marker-key-1234")
  static let operatorName = "anne"

  let radio = FakeRadio()
  let accounts: FakeAccounts
  let store: TemporaryDatabase
  let feed = ReadingFeed()
  let unclaimed = UnclaimedSensors()
  let clock = ManualClock()
  let seal: SealKey
  let published = Journal<String>()
  let log = Journal<LogRecord>()
  let desk: EnrolmentDesk

  /// - Parameter store: another bench's, for a restart on the same database.
  init(
    store: TemporaryDatabase? = nil, seal: SealKey = .temporary(),
    accounts: FakeAccounts = FakeAccounts(), links: Int = 1
  ) throws {
    self.store = try store ?? TemporaryDatabase()
    self.accounts = accounts
    self.seal = seal
    let clock = clock
    let published = published
    let context = EnrolmentContext(
      radio: radio, accounts: accounts, database: self.store.database, feed: feed,
      unclaimed: unclaimed, seal: seal,
      publish: { [feed] topic, _ async throws(Fault) in
        published.note(topic)
        // The sensor answers.
        if case .resetAcknowledgement(let sensor) = Topic("\(topic)/ack") {
          await feed.noteReset(of: sensor)
        }
      }, links: links, clock: clock,
      now: { Self.start + clock.now.offset })
    let log = log
    let sink = LogSink(minimumLevel: .debug) { log.note($0) }
    desk = LogSink.$current.withValue(sink) { EnrolmentDesk(context) }
  }

  /// A new process on the same database, broker and seal key.
  func restarted() throws -> EnrolmentBench {
    try EnrolmentBench(store: store, seal: seal, accounts: accounts)
  }

  var now: Timestamp { Self.start + clock.now.offset }

  // MARK: Steps

  /// Hears a sensor, and waits until the list has it.
  func hear(
    _ sensor: SensorID = EnrolmentBench.sensor,
    at address: BluetoothAddress = EnrolmentBench.address, rssi: Int = -60
  ) async throws {
    await radio.scans.until { !$0.isEmpty }
    radio.hear(
      Sighting(
        address: address, name: AdvertisedName(kind: .sound, sensor: sensor), rssi: rssi, at: now))
    for await list in await desk.scan()
    where list.sensors.contains(where: { $0.peripheral.address == address }) { return }
  }

  /// Waits until the enrolment is as wanted.
  @discardableResult
  func until(
    _ id: UUID, _ isMet: (EnrolmentView) -> Bool
  ) async throws -> EnrolmentView {
    var last: EnrolmentView?
    for await view in try await desk.updates(of: id) {
      last = view
      if isMet(view) { return view }
    }
    let view = try #require(last)
    try #require(isMet(view), "ended as \(view.state) \(String(describing: view.failure))")
    return view
  }

  @discardableResult
  func until(_ id: UUID, state: String) async throws -> EnrolmentView {
    try await until(id) { $0.state == state }
  }

  /// To the Wi-Fi form of step 2, over a link to a sensor that is laid ready.
  func chosen(
    _ link: FakeLink? = nil, sensor: SensorID = EnrolmentBench.sensor,
    at address: BluetoothAddress = EnrolmentBench.address, by operatorName: String = operatorName
  ) async throws -> (UUID, FakeLink) {
    let link = link ?? FakeLink(to: sensor, at: address)
    radio.prepare(.success(link), at: address)
    let id = try await desk.begin(by: operatorName).id
    try await hear(sensor, at: address)
    _ = try await desk.validate(id, step: 1, with: .sensor(sensor, nil), by: operatorName)
    try await until(id, state: "awaiting-wifi")
    return (id, link)
  }

  func sendWiFi(
    _ id: UUID, step: Int = 2, key: Secret? = EnrolmentBench.key, remember: Bool = true
  ) async throws {
    _ = try await desk.validate(
      id, step: step, with: .wifi(ssid: Self.ssid, key: key, remember: remember),
      by: Self.operatorName)
  }

  /// Sends the network and waits until its wait for the sensor runs.
  func joining(_ id: UUID, _ link: FakeLink) async throws {
    try await sendWiFi(id)
    try await until(id, state: "joining-wifi")
    link.say("Connexion...")
    await clock.sleeper(dueIn: .seconds(10))
  }

  func joined(_ id: UUID, _ link: FakeLink) async throws {
    try await joining(id, link)
    link.say("Connecté (association)")
    link.say("Connecté: 192.168.1.7")
    try await until(id, state: "joined")
  }

  /// To the wait for the first reading, the four values delivered.
  func delivered(_ id: UUID, _ link: FakeLink) async throws {
    try await joined(id, link)
    _ = try await desk.validate(id, step: 3, with: .acceptance, by: Self.operatorName)
    try await until(id, state: "awaiting-reading")
  }

  /// The sensor logs in under the account and its reading is stored.
  func read(_ id: UUID, as user: String = "\(sensor)-1") async throws {
    clock.advance(by: .seconds(3))
    accounts.logIn(Self.sensor, as: user)
    await log.until { records in
      records.contains {
        $0.sentence == "the sensor logged in with its new account"
          && $0["enrolment"] == id.uuidString
      }
    }
    clock.advance(by: .seconds(1))
    await feed.publish([stored()])
    try await until(id, state: "heard")
  }

  func stored(sensor: SensorID = EnrolmentBench.sensor, uptime: Int = 5) -> StoredReading {
    StoredReading(
      reading: Reading(
        sensor: sensor, at: now, boot: 1, sound: SoundStatus(soundPct: 30, uptime: uptime)),
      committedAt: now)
  }

  func named(_ id: UUID, _ name: String = "Salle 1") async throws {
    _ = try await desk.validate(id, step: 4, with: .acceptance, by: Self.operatorName)
    _ = try await desk.validate(id, step: 5, with: .name(name), by: Self.operatorName)
  }

  /// The whole way.
  func enrolled(name: String = "Salle 1", account number: Int = 1) async throws -> UUID {
    let (id, link) = try await chosen()
    try await delivered(id, link)
    try await read(id, as: "\(Self.sensor)-\(number)")
    try await named(id, name)
    return id
  }

  var sensors: [Sensor] { get async throws { try await store.read { try SensorStore($0).all() } } }
}

/// The refusal a call ended with.
func refusal<Result>(
  of call: () async throws -> Result
) async -> EnrolmentRefusal? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? EnrolmentRefusal
  }
}
