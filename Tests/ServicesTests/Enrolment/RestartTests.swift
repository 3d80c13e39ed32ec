import Domain
import Foundation
import Services
import Storage
import TestSupport
import Testing

private typealias Bench = EnrolmentBench

/// The desk is dropped in each state, and made anew on the same database: the enrolment ends as if
/// nothing had happened.
@Suite("An enrolment across a restart", .timeLimit(.minutes(1)))
struct RestartTests {
  /// How far an enrolment comes before the process ends.
  enum Stage: CaseIterable, Sendable {
    case scanning, chosen, joining, joined, awaitingAccount, delivered, heard, awaitingName
  }

  private func bring(_ bench: Bench, to stage: Stage) async throws -> UUID {
    if stage == .scanning { return try await bench.desk.begin(by: Bench.operatorName).id }
    let (id, link) = try await bench.chosen()
    switch stage {
    case .scanning, .chosen: break
    case .joining: try await bench.joining(id, link)
    case .joined: try await bench.joined(id, link)
    case .awaitingAccount:
      try await bench.joined(id, link)
      bench.accounts.fail(with: Fault(.brokerUnreachable))
      _ = try await bench.desk.validate(id, step: 3, with: .acceptance, by: Bench.operatorName)
      try await bench.until(id, state: "awaiting-account")
      bench.accounts.fail(with: nil)
    case .delivered: try await bench.delivered(id, link)
    case .heard, .awaitingName:
      try await bench.delivered(id, link)
      try await bench.read(id)
      if stage == .awaitingName {
        _ = try await bench.desk.validate(id, step: 4, with: .acceptance, by: Bench.operatorName)
      }
    }
    return id
  }

  /// Goes on from wherever it stands to its completion.
  private func finish(_ id: UUID, on bench: Bench, _ link: FakeLink) async throws {
    while true {
      let view = try await bench.until(id) { $0.expects != .wait || $0.state == "awaiting-reading" }
      switch view.expects {
      case .chooseSensor:
        try await bench.hear()
        _ = try await bench.desk.validate(
          id, step: 1, with: .sensor(Bench.sensor, nil), by: Bench.operatorName)
      case .giveWiFi:
        try await bench.sendWiFi(id, step: view.step.rawValue)
        try await bench.until(id, state: "joining-wifi")
        link.say("Connexion...")
        link.say("Connecté: 192.168.1.7")
        try await bench.until(id, state: "joined")
      case .acceptWiFi:
        _ = try await bench.desk.validate(id, step: 3, with: .acceptance, by: Bench.operatorName)
      case .wait:
        if link.writes.contains(where: { $0.characteristic == .mqttPassword }) {
          try await bench.read(id)
        } else {
          // The broker's log of the time before the restart is lost.
          bench.clock.advance(by: .seconds(6))
          await bench.feed.publish([bench.stored()])
          try await bench.until(id, state: "heard")
        }
      case .acceptReading:
        _ = try await bench.desk.validate(id, step: 4, with: .acceptance, by: Bench.operatorName)
      case .name:
        _ = try await bench.desk.validate(
          id, step: 5, with: .name("Salle 1"), by: Bench.operatorName)
      case .nothing: return
      case .resume:
        Issue.record("\(view.state) waits to be resumed: \(String(describing: view.complaint))")
        return
      }
    }
  }

  @Test(
    "resumes at its first unvalidated step and comes to the same end", arguments: Stage.allCases)
  func equivalence(stage: Stage) async throws {
    let bench = try Bench()
    let id = try await bring(bench, to: stage)
    let before = try await bench.desk.show(id)
    await bench.desk.stop()

    let restarted = try bench.restarted()
    let link = FakeLink(to: Bench.sensor, at: Bench.address)
    restarted.radio.prepare(.success(link), at: Bench.address)
    try await restarted.desk.start()
    #expect(try await restarted.desk.show(id).step == before.step)
    try await finish(id, on: restarted, link)

    let view = try await restarted.desk.show(id)
    #expect(view.isCompleted)
    #expect(try await restarted.sensors.map(\.account) == ["332211CCBBAA-1"])
    #expect(restarted.accounts.users == ["332211CCBBAA-1"])
    let timeline = try await restarted.desk.timeline(of: id)
    let validations = ["choose", "send-wifi", "accept-wifi", "accept-reading", "register"]
    #expect(Set(timeline.map(\.why)).isSuperset(of: validations))
  }

  @Test("at step 3 a snapshot with an address counts as joined: its credentials were written")
  func snapshot() async throws {
    let bench = try Bench()
    let id = try await bring(bench, to: .joining)
    await bench.desk.stop()
    let restarted = try bench.restarted()
    restarted.radio.prepare(
      .success(FakeLink(to: Bench.sensor, at: Bench.address, wifi: "WiFi: 192.168.1.7")),
      at: Bench.address)
    try await restarted.desk.start()
    let view = try await restarted.until(id, state: "joined")
    #expect(view.ip?.text == "192.168.1.7")
    #expect(view.step == .verifyWiFi)
    await restarted.desk.stop()
  }

  @Test("at step 4 a reading stored while the daemon was away makes the step validatable")
  func readingMeanwhile() async throws {
    let bench = try Bench()
    let id = try await bring(bench, to: .delivered)
    await bench.desk.stop()
    let reading = bench.stored().reading
    try await bench.store.write { connection in
      try SensorStore(connection).prepare(Bench.sensor, at: Bench.start)
      try ReadingStore(connection).insert(
        Reading(
          sensor: reading.sensor, at: reading.at + .seconds(20), boot: 1, sound: reading.sound),
        evenIfHidden: true)
    }
    let restarted = try bench.restarted()
    try await restarted.desk.start()
    try await restarted.until(id, state: "heard")
    await restarted.desk.stop()
  }

  @Test("a parked enrolment gains no time by a restart")
  func parkedDeadline() async throws {
    let bench = try Bench()
    let id = try await bring(bench, to: .awaitingName)
    await bench.desk.stop()
    let restarted = try bench.restarted()
    restarted.clock.advance(by: .seconds(86_400 + 60))
    try await restarted.desk.start()
    let failed = try await restarted.until(id, state: "failed")
    #expect(failed.failure?.code == .abandoned)
  }
}
