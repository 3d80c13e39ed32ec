import Domain
import Foundation
import Host
import Services
import Storage
import TestSupport
import Testing

private typealias Bench = EnrolmentBench

@Suite("The broker accounts of enrolments", .timeLimit(.minutes(1)))
struct EnrolmentAccountTests {
  private let first = "332211CCBBAA-1"
  private let second = "332211CCBBAA-2"

  @Test("a known sensor's new account takes the old password, and the old one goes with the proof")
  func knownSensor() async throws {
    let bench = try Bench()
    _ = try await bench.enrolled()
    let password = try #require(bench.accounts.all.first?.password)

    let (id, link) = try await bench.chosen()
    try await bench.delivered(id, link)
    #expect(bench.accounts.users == [first, second], "both stand until the proof")
    #expect(bench.accounts.all.last?.password == password)
    #expect(try await bench.sensors.first?.account == first)

    try await bench.read(id, as: second)
    await bench.accounts.removals.until { $0 == [first] }
    #expect(try await bench.sensors.first?.account == second)
    #expect(try await bench.sensors.count == 1)
  }

  @Test("a reading under the old account proves nothing")
  func oldAccount() async throws {
    let bench = try Bench()
    _ = try await bench.enrolled()
    let (id, link) = try await bench.chosen()
    try await bench.delivered(id, link)
    await bench.clock.sleeper(dueIn: .seconds(60))
    bench.clock.advance(by: .seconds(30))
    bench.accounts.logIn(Bench.sensor, as: first)
    await bench.feed.publish([bench.stored()])
    await bench.clock.sleeper(dueIn: .seconds(30))
    bench.clock.advance(by: .seconds(30))
    let complained = try await bench.until(id) { $0.complaint != nil }
    #expect(complained.complaint?.code == .noFirstReading)
    #expect(bench.accounts.users == [first, second])
  }

  @Test("giving up on a live sensor before the first MQTT value leaves it as it was")
  func liveSensorUnharmed() async throws {
    let bench = try Bench()
    _ = try await bench.enrolled()
    let (id, link) = try await bench.chosen()
    try await bench.joined(id, link)
    bench.accounts.fail(with: Fault(.brokerUnreachable))
    _ = try await bench.desk.validate(id, step: 3, with: .acceptance, by: Bench.operatorName)
    let complained = try await bench.until(id, state: "awaiting-account")
    #expect(complained.complaint?.code == .brokerUnreachable)
    _ = try await bench.desk.cancel(id, by: Bench.operatorName)
    // Stopping waits for what an ended enrolment still tidies up.
    await bench.desk.stop()
    #expect(bench.accounts.users == [first])
    let live = try await bench.store.read { try AccountStore($0).live(of: Bench.sensor) }
    #expect(live.map(\.user) == [first])
    #expect(try await bench.sensors.first?.account == first)
  }

  @Test("an account that cannot be made is tried again on the same link, under the same name")
  func accountAgain() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joined(id, link)
    bench.accounts.fail(with: Fault(.brokerUnreachable))
    _ = try await bench.desk.validate(id, step: 3, with: .acceptance, by: Bench.operatorName)
    try await bench.until(id, state: "awaiting-account")
    bench.accounts.fail(with: nil)
    _ = try await bench.desk.resume(id, by: Bench.operatorName)
    try await bench.until(id, state: "awaiting-reading")
    #expect(bench.accounts.users == [first])
    #expect(bench.radio.connects.all.count == 1)
  }

  @Test(
    "a link lost between the four values ends it as a partial set, and the account stays",
    arguments: [SensorProfile.Characteristic.mqttPort, .mqttUser, .mqttPassword])
  func partialSet(lostAt: SensorProfile.Characteristic) async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    link.drop(at: lostAt)
    try await bench.joined(id, link)
    _ = try await bench.desk.validate(id, step: 3, with: .acceptance, by: Bench.operatorName)
    let failed = try await bench.until(id, state: "failed")
    #expect(failed.failure?.code == .partialMQTTWrite)
    #expect(failed.mayHoldAccount)
    #expect(bench.accounts.users == [first])

    // A later enrolment's first reading takes it away.
    _ = try await bench.enrolled(account: 2)
    await bench.accounts.removals.until { $0 == [first] }
    #expect(bench.accounts.users == [second])
  }

  @Test("no reading: resuming writes the four values again under the same account")
  func resume() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.delivered(id, link)
    link.drop()
    await bench.clock.sleeper(dueIn: .seconds(60))
    bench.clock.advance(by: .seconds(60))
    try await bench.until(id) { $0.complaint != nil }

    let again = FakeLink(to: Bench.sensor, at: Bench.address)
    bench.radio.prepare(.success(again), at: Bench.address)
    _ = try await bench.desk.resume(id, by: Bench.operatorName)
    await again.wrote(.mqttPassword)
    try await bench.until(id, state: "awaiting-reading")
    #expect(again.writes.map(\.text) == Array(link.writes.map(\.text).dropFirst(2)))
    #expect(bench.accounts.users == [first])
    try await bench.read(id)
  }

  @Test("an old account that could not be removed goes at the next start")
  func leftover() async throws {
    let bench = try Bench()
    _ = try await bench.enrolled()
    bench.accounts.failRemovals(with: Fault(.brokerUnreachable))
    _ = try await bench.enrolled(name: "Salle 2", account: 2)
    #expect(bench.accounts.users == [first, second])
    await bench.desk.stop()
    bench.accounts.failRemovals(with: nil)
    let restarted = try bench.restarted()
    try await restarted.desk.start()
    #expect(bench.accounts.users == [second])
  }

  @Test("the marker secrets are in no log line, no view, no audit entry and no table in clear")
  func secrets() async throws {
    let bench = try Bench()
    let id = try await bench.enrolled()
    let password = try #require(bench.accounts.all.first?.password.reveal())
    let view = try await bench.desk.show(id)
    let timeline = try await bench.desk.timeline(of: id)
    var texts = bench.log.all.map(\.text)
    texts += [String(reflecting: view), String(reflecting: timeline)]
    #expect(!bench.log.all.isEmpty)
    let file = try Data(contentsOf: URL(filePath: bench.store.database.path))
    let log = try Data(contentsOf: URL(filePath: bench.store.database.path + "-wal"))
    for secret in [Bench.key.reveal(), password] {
      #expect(!texts.contains { $0.contains(secret) })
      #expect(file.range(of: Data(secret.utf8)) == nil)
      #expect(log.range(of: Data(secret.utf8)) == nil)
    }
  }
}
