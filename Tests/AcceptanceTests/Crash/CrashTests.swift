import Domain
import Foundation
import Simulator
import TestSupport
import Testing

@Suite("A daemon that is killed under load", .serialized)
struct CrashTests {
  private static let isSoak = ProcessInfo.processInfo.environment["SOUNDGATE_SOAK"] == "1"
  private static let rounds = isSoak ? 50 : 5
  private static let readingsOfEach = 60

  /// D02: "kill never loses a committed alert or breaks integrity"; N03: "same stable alert id in each
  /// retry so the backend can drop doubles; queue survives restart"; R01: cooldown and "already told"
  /// are "written in the same transaction as the alert".
  @Test(
    "D02, N03, R01: loses no committed alert, delivers none under two ids, keeps its file whole",
    .timeLimit(.minutes(isSoak ? 30 : 4)), arguments: [isSoak ? UInt64(2_026) : 7])
  func killed(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    try await CrashScene.with { scene in
      var committed: Set<String> = []
      for round in 1...Self.rounds {
        let count = CrashScene.sensors.count * Self.readingsOfEach
        await scene.moment.set(after: Int.random(in: 1...2 * count, using: &random))
        // Now and then the backend stores a delivery and leaves without a word.
        await scene.receiver.answer(
          [Receiver.Answer](repeating: .status(200), count: round) + [.hangUp])
        try await Self.load(scene, isEnrolling: round.isMultiple(of: 2))

        let record = try await scene.record()
        #expect(record.integrity == ["ok"], "round \(round) of seed \(seed)")
        committed.formUnion(record.alerts)
        try await scene.startDaemon()
      }
      try await Self.finish(scene)
      #expect(await scene.stopDaemon() == 0)

      let record = try await scene.record()
      #expect(record.integrity == ["ok"])
      #expect(committed.isSubset(of: record.alerts))
      #expect(Set(await scene.deliveries.bodies.keys) == record.alerts)
      let complaints = await scene.deliveries.complaints
      #expect(complaints == [])
      let repetitions = await scene.deliveries.repetitions(among: record.sounds)
      #expect(repetitions == [])
      for sensor in scene.load {
        let stored = record.readings[sensor.id] ?? []
        #expect(Set(stored) == (await sensor.hashes), "every reading is stored, and none other")
        #expect(stored.count == Set(stored).count, "a reading is stored once")
      }
      // Each reading breaks each rule. Those whose moment is not known are the only ones not told.
      let published = Self.rounds * Self.readingsOfEach * CrashScene.sensors.count
      #expect(record.alerts.count > published, "the load made alerts: \(record.alerts.count)")
    }
  }

  /// One round: the sensors publish, perhaps somebody enrols, until the moment comes.
  private static func load(_ scene: CrashScene, isEnrolling: Bool) async throws {
    let person = Task { if isEnrolling { try await scene.enroller.enrol() } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for sensor in scene.load {
        group.addTask {
          for _ in 1...readingsOfEach {
            try await sensor.publish()
            await scene.moment.happened()
          }
        }
      }
      await scene.moment.come()
      await scene.crash()
      try await group.waitForAll()
    }
    person.cancel()
    _ = await person.result
  }

  /// What was left undone is done after the last restart: enrolments go on to their end, what was
  /// published is stored, and what was stored is delivered.
  private static func finish(_ scene: CrashScene) async throws {
    for view in try await scene.enroller.all() {
      #expect(
        view.ended || view.expects != "nothing", "an enrolment can go on or has ended: \(view)")
    }
    for sensor in scene.load { try await sensor.publish(level: CrashScene.lastLevel) }
    try await scene.enroller.enrol()
    let views = try await scene.enroller.all()
    #expect(views.contains { $0.completed }, "\(views)")
    #expect(views.allSatisfy { $0.ended }, "\(views)")
    while try await !scene.isSettled() {}
  }
}
