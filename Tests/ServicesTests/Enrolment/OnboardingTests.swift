import Domain
import Foundation
import Host
import Services
import Storage
import TestSupport
import Testing

private typealias Bench = EnrolmentBench

/// The onboarding document (PD-176), held against the desk and its database.
@Suite("The onboarding", .timeLimit(.minutes(1)))
struct OnboardingTests {
  // "Given un utilisateur n'ayant jamais complété l'onboarding, when il valide successivement les
  //  cinq étapes, then l'onboarding est marqué comme complété."
  @Test("PD-176 scenario 1: five validations one after the other complete it")
  func scenario1() async throws {
    let bench = try Bench()
    let name = Bench.operatorName
    #expect(
      try await bench.desk.onboarding(of: name)
        == OnboardingStatus(currentStep: .chooseSensor, completed: false, enrolment: nil))
    let link = FakeLink(to: Bench.sensor, at: Bench.address)
    bench.radio.prepare(.success(link), at: Bench.address)
    let scan = Task { for await _ in await bench.desk.scan() {} }
    try await bench.hear()
    scan.cancel()

    var status = try await bench.desk.validateOnboarding(
      step: 1, with: .sensor(Bench.sensor, nil), by: name)
    #expect(status.currentStep == .giveWiFi)
    let id = try #require(status.enrolment)
    try await bench.until(id, state: "awaiting-wifi")
    status = try await bench.desk.validateOnboarding(
      step: 2, with: .wifi(ssid: "Atelier", key: Bench.key, remember: true), by: name)
    #expect(status.currentStep == .verifyWiFi)
    try await bench.until(id, state: "joining-wifi")
    link.say("Connexion...")
    link.say("Connecté: 192.168.1.7")
    try await bench.until(id, state: "joined")
    status = try await bench.desk.validateOnboarding(step: 3, with: .acceptance, by: name)
    #expect(status.currentStep == .receiveReading)
    try await bench.until(id, state: "awaiting-reading")
    try await bench.read(id)
    status = try await bench.desk.validateOnboarding(step: 4, with: .acceptance, by: name)
    #expect(status.currentStep == .nameSensor && !status.completed)
    status = try await bench.desk.validateOnboarding(step: 5, with: .name("Salle"), by: name)
    #expect(status == OnboardingStatus(currentStep: .nameSensor, completed: true, enrolment: nil))
    #expect(try await bench.desk.onboarding(of: "paul").completed == false)
  }

  // "Given un utilisateur ayant validé deux étapes, when l'application est quittée puis relancée,
  //  then l'onboarding reprend à la troisième étape."
  @Test("PD-176 scenario 2: after a restart it resumes at the third step")
  func scenario2() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joining(id, link)
    await bench.desk.stop()

    let restarted = try bench.restarted()
    try await restarted.desk.start()
    let status = try await restarted.desk.onboarding(of: Bench.operatorName)
    #expect(
      status == OnboardingStatus(currentStep: .verifyWiFi, completed: false, enrolment: id))
    #expect(try await restarted.desk.show(id).step == .verifyWiFi)
    await restarted.desk.stop()
  }

  // "Given un utilisateur à l'étape 2, when il tente d'accéder directement à l'étape 4, then l'accès
  //  est refusé et l'étape courante est maintenue."
  @Test("PD-176 scenario 3: a skip from step 2 to step 4 is refused and the step kept")
  func scenario3() async throws {
    let bench = try Bench()
    let (id, _) = try await bench.chosen()
    let refused = await refusal {
      try await bench.desk.validateOnboarding(
        step: 4, with: .acceptance, by: Bench.operatorName)
    }
    #expect(
      refused == .notAllowed(.outOfSequence(requested: .receiveReading, current: .giveWiFi)))
    #expect(try await bench.desk.show(id).step == .giveWiFi)
    #expect(
      try await bench.store.read { try EnrolmentStore($0).find(id) }?.step == 2)
  }

  // "interruption du parcours avant validation de la cinquième étape"
  @Test("PD-176 error 1: an interruption keeps every step validated so far, and is on record")
  func error1() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joined(id, link)
    await bench.desk.stop()
    let restarted = try bench.restarted()
    restarted.radio.prepare(.failure(Fault(.notSeen)), at: Bench.address)
    try await restarted.desk.start()
    let parked = try await restarted.until(id) { $0.complaint != nil }
    #expect(parked.state == "parked")
    #expect(parked.step == .verifyWiFi)
    #expect(parked.expects == .resume)
    let why = try await restarted.desk.timeline(of: id).map(\.why)
    #expect(why.suffix(2) == ["resume", "link-failed SG-BLE-110"])
    await restarted.desk.stop()
  }

  // "tentative d'accès à une étape hors séquence"
  @Test("PD-176 error 2: a step out of sequence is refused, changes nothing and is logged")
  func error2() async throws {
    let bench = try Bench()
    let (id, _) = try await bench.chosen()
    let before = try await bench.store.read { try EnrolmentStore($0).find(id) }
    for step in [1, 3, 4, 5] {
      let refused = await refusal {
        try await bench.desk.validate(
          id, step: step, with: .acceptance, by: Bench.operatorName)
      }
      #expect(refused?.code == .outOfTurn)
    }
    #expect(
      await refusal {
        try await bench.desk.validate(id, step: 6, with: .acceptance, by: Bench.operatorName)
      } == .noSuchStep(6))
    #expect(try await bench.store.read { try EnrolmentStore($0).find(id) } == before)
    #expect(bench.log.all.count { $0.sentence == "refused a step out of sequence" } == 4)
  }

  // "état d'avancement manquant, corrompu ou incohérent"
  @Test(
    "PD-176 error 3: missing, corrupt or inconsistent progress ends the enrolment, on record",
    arguments: ["", "{", "{}", #"{"step":4,"isCompleted":false}"#, "consistent-but-elsewhere"])
  func error3(progress: String) async throws {
    let bench = try Bench()
    let (id, _) = try await bench.chosen()
    await bench.desk.stop()
    try await bench.store.write { connection in
      var record = try #require(try EnrolmentStore(connection).find(id))
      record.progress =
        progress == "consistent-but-elsewhere"
        ? record.progress.replacingOccurrences(of: "332211CCBBAA", with: "AABBCC001122") : progress
      _ = try EnrolmentStore(connection).update(record)
    }
    let restarted = try bench.restarted()
    try await restarted.desk.start()
    let view = try await restarted.desk.show(id)
    #expect(view.state == "failed")
    #expect(view.failure?.code == .progressDamaged)
    #expect(view.step == .giveWiFi)
    let last = try #require(try await restarted.desk.timeline(of: id).last)
    #expect(last.why == "progress-damaged SG-STORE-609")
    #expect(
      restarted.log.all.contains { $0["enrolment"] == id.uuidString && $0.level == .error })
    // A new one can begin at step 1.
    #expect(try await restarted.desk.begin(by: Bench.operatorName).step == .chooseSensor)
    await restarted.desk.stop()
  }

  // "échec de persistance de l'état d'onboarding"
  @Test("PD-176 error 4: when progress cannot be written the step is kept and nothing is sent")
  func error4() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.store.write { _ = try $0.run("PRAGMA query_only = ON") }
    let refused = await refusal { try await bench.sendWiFi(id) }
    guard case .fault(let fault) = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(fault.code.leg == .storage)
    #expect(try await bench.desk.show(id).step == .giveWiFi)
    #expect(link.writes.isEmpty)
    #expect(
      bench.log.all.contains { $0.sentence == "progress was not written, the step is kept" })

    try await bench.store.read { _ = try $0.run("PRAGMA query_only = OFF") }
    try await bench.sendWiFi(id)
    await link.wrote(.wifiKey)
  }

  // "L'état d'avancement de l'onboarding est persisté" — in SQLite here.
  @Test("PD-176 invariant 5: the progress is in the database after every validation")
  func invariant5() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    func step() async throws -> Int? {
      try await bench.store.read { try EnrolmentStore($0).find(id) }?.step
    }
    #expect(try await step() == 2)
    try await bench.joined(id, link)
    #expect(try await step() == 3)
    _ = try await bench.desk.validate(id, step: 3, with: .acceptance, by: Bench.operatorName)
    #expect(try await step() == 4)
    try await bench.until(id, state: "awaiting-reading")
    try await bench.read(id)
    _ = try await bench.desk.validate(id, step: 4, with: .acceptance, by: Bench.operatorName)
    #expect(try await step() == 5)
    _ = try await bench.desk.validate(id, step: 5, with: .name("Salle"), by: Bench.operatorName)
    #expect(try await bench.store.read { try EnrolmentStore($0).find(id) }?.isCompleted == true)
  }

  // "Un utilisateur ayant complété l'onboarding n'est plus soumis à ce parcours par défaut."
  @Test("PD-176 invariant 6: completion is for good, across restarts and later failures")
  func invariant6() async throws {
    let bench = try Bench()
    let id = try await bench.enrolled()
    await bench.desk.stop()
    let restarted = try bench.restarted()
    try await restarted.desk.start()
    #expect(try await restarted.desk.onboarding(of: Bench.operatorName).completed)
    let refused = await refusal {
      try await restarted.desk.validate(id, step: 5, with: .name("Autre"), by: Bench.operatorName)
    }
    #expect(refused == .notAllowed(.ended))
    #expect(
      await refusal { try await restarted.desk.cancel(id, by: Bench.operatorName) }
        == .notAllowed(.ended))
    let (later, link) = try await restarted.chosen()
    link.drop()
    try await restarted.until(later, state: "failed")
    #expect(try await restarted.desk.onboarding(of: Bench.operatorName).completed)
    #expect(try await restarted.desk.show(id).isCompleted)
  }

  // "Toute validation ou transition d'étape est traçable."
  @Test("PD-176 invariant 7: every transition is in the audit log: who, when, from, to, why")
  func invariant7() async throws {
    let bench = try Bench()
    let id = try await bench.enrolled()
    let timeline = try await bench.desk.timeline(of: id)
    #expect(timeline.first?.from == nil)
    for (earlier, later) in zip(timeline, timeline.dropFirst()) {
      #expect(earlier.to == later.from, "a transition is missing")
      #expect(earlier.at <= later.at)
      #expect(earlier.step <= later.step)
    }
    let commands = timeline.filter { $0.operatorName == Bench.operatorName }
    #expect(
      commands.map(\.why) == [
        "begin", "choose", "send-wifi", "accept-wifi", "accept-reading", "register",
      ])
    #expect(timeline.last?.to == "completed")
    let others = Set(timeline.map(\.operatorName)).subtracting([Bench.operatorName])
    #expect(others == ["sensor", "gateway"])
  }
}
