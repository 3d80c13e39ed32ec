import Domain
import Testing

private typealias Story = EnrolmentStory

/// The rules of the onboarding document (PD-176), held against the machine.
@Suite("The five steps")
struct EnrolmentStepTests {
  // "L'onboarding comporte exactement cinq étapes."
  @Test("PD-176 invariant 1: there are exactly five steps")
  func invariant1() {
    #expect(EnrolmentStep.allCases.map(\.rawValue) == [1, 2, 3, 4, 5])
  }

  // "Les étapes sont parcourues dans un ordre strictement séquentiel."
  @Test("PD-176 invariant 2: no command validates a step but the current one")
  func invariant2() throws {
    let name = try SensorName("Salle")
    let commands: [(EnrolmentStep, Enrolment.Command)] = [
      (.chooseSensor, .choose(Story.peripheral)), (.giveWiFi, .sendWiFi(try Story.credentials)),
      (.verifyWiFi, .acceptWiFi), (.receiveReading, .acceptReading), (.nameSensor, .register(name)),
    ]
    for story in try Story.all().dropLast() {
      for (step, command) in commands where step != story.step {
        var enrolment = story
        #expect(throws: NotAllowed.outOfSequence(requested: step, current: story.step)) {
          try enrolment.take(command, validating: step)
        }
        #expect(enrolment == story)
      }
    }
  }

  // "Le passage à une étape suivante nécessite une action explicite et volontaire de l'utilisateur."
  @Test("PD-176 invariant 3: no event validates a step")
  func invariant3() throws {
    let events: [Enrolment.Event] = [
      .linkOpened(snapshot: .snapshot(Story.ip)), .wifiWritten, .statusHeard(.keyReceived),
      .statusHeard(.starting), .statusHeard(.joined(Story.ip)), .accountReserved("a"),
      .accountOpened, .mqttDelivered(at: Story.delivered), .readingStored,
      .linkLost(Fault(.linkLost)), .deadlinePassed(.wifi, blame: nil),
      .deadlinePassed(.attention, blame: nil), .deadlinePassed(.parked, blame: nil),
    ]
    for story in try Story.all() {
      for event in events {
        var enrolment = story
        _ = enrolment.observe(event)
        #expect(enrolment.step == story.step, "\(event.word) in \(story.state.word)")
        #expect(enrolment.progress.isCompleted == story.progress.isCompleted)
      }
    }
  }

  // "… que si les cinq étapes ont été validées."
  @Test("PD-176 invariant 4: it is completed only by validating the fifth step")
  func invariant4() throws {
    for story in try Story.all() {
      #expect(story.progress.isCompleted == (story.state == .completed))
    }
    var progress = EnrolmentProgress()
    progress.isCompleted = true
    #expect(!progress.isConsistent)
  }

  // "Irréversible : aucune transition retour vers STEP_N (INV-6)."
  @Test("PD-176 invariant 6: a completed enrolment takes no command")
  func invariant6() throws {
    let completed = try Story.completed()
    let commands: [Enrolment.Command] = [
      .choose(Story.peripheral), .sendWiFi(try Story.credentials), .acceptWiFi, .acceptReading,
      .register(try SensorName("Autre")), .resume, .cancel,
    ]
    for command in commands {
      var enrolment = completed
      #expect(throws: NotAllowed.ended) { try enrolment.take(command) }
      #expect(enrolment == completed)
    }
  }

  // "Given un utilisateur à l'étape 2, when il tente d'accéder directement à l'étape 4,
  //  then l'accès est refusé et l'étape courante est maintenue."
  @Test("PD-176 scenario 3: a skip is refused and the step kept")
  func scenario3() throws {
    var enrolment = try Story.awaitingWiFi()
    #expect(
      throws: NotAllowed.outOfSequence(requested: .receiveReading, current: .giveWiFi)
    ) { try enrolment.take(.acceptReading, validating: .receiveReading) }
    #expect(enrolment.step == .giveWiFi)
  }

  @Test("a step that nothing has made validatable is refused")
  func notYet() throws {
    var complained = try Story.joiningWiFi()
    _ = complained.observe(.deadlinePassed(.wifi, blame: nil))
    #expect(throws: NotAllowed.notYet(.verifyWiFi)) {
      try complained.take(.acceptWiFi, validating: .verifyWiFi)
    }
    var waiting = try Story.awaitingReading()
    #expect(throws: NotAllowed.notYet(.receiveReading)) {
      try waiting.take(.acceptReading, validating: .receiveReading)
    }
    var connecting = try Story.connecting()
    #expect(throws: NotAllowed.inProgress) {
      try connecting.take(.sendWiFi(Story.credentials), validating: .giveWiFi)
    }
    var writing = try Story.writingMQTT()
    #expect(throws: NotAllowed.inProgress) { try writing.take(.cancel) }
    #expect(throws: NotAllowed.nothingToResume) { try writing.take(.resume) }
  }

  // "… l'onboarding reprend à la troisième étape."
  @Test("PD-176 scenario 2: a restart resumes at the first step that is not validated")
  func scenario2() throws {
    for story in try Story.all() {
      let resumed = Enrolment(resuming: story.progress, deadlines: story.deadlines)
      #expect(resumed.step == story.step)
      #expect(resumed.progress == story.progress)
      #expect(story.progress.isConsistent, "\(story.state.word)")
    }
  }

  @Test("at step 3 an address in the snapshot counts as joined only after a restart")
  func snapshotAfterRestart() throws {
    var fresh = try Story.connecting()
    _ = fresh.observe(.linkOpened(snapshot: .snapshot(Story.ip)))
    #expect(fresh.state == .awaitingWiFi(complaint: nil, verdict: nil))

    let progress = try Story.joiningWiFi().progress
    var resumed = Enrolment(resuming: progress, deadlines: EnrolmentDeadlines())
    _ = try resumed.take(.resume)
    var offline = resumed
    _ = resumed.observe(.linkOpened(snapshot: .snapshot(Story.ip)))
    #expect(resumed.state == .joined(Story.ip))
    _ = offline.observe(.linkOpened(snapshot: .snapshot(nil)))
    #expect(offline.state == .awaitingWiFi(complaint: nil, verdict: nil))
    #expect(offline.step == .verifyWiFi)
  }

  @Test("a resumption that finds no sensor stays resumable")
  func resumptionFails() throws {
    var resumed = Enrolment(
      resuming: try Story.awaitingWiFi().progress, deadlines: EnrolmentDeadlines())
    _ = try resumed.take(.resume)
    _ = resumed.observe(.linkFailed(Fault(.notSeen)))
    #expect(resumed.state == .parked(complaint: Fault(.notSeen)))
    #expect(try resumed.take(.resume).first == .connect(Story.peripheral))
  }

  @Test("a progress that cannot have come about is told")
  func inconsistency() {
    var skipped = EnrolmentProgress()
    skipped.step = .verifyWiFi
    #expect(!skipped.isConsistent)
    skipped.peripheral = Story.peripheral
    #expect(!skipped.isConsistent, "step 3 without credentials written")
    skipped.wroteWiFi = true
    #expect(skipped.isConsistent)
    skipped.deliveredAt = Story.delivered
    #expect(!skipped.isConsistent)
  }
}
