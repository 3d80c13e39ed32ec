import Domain
import Testing

private typealias Story = EnrolmentStory

@Suite("An enrolment")
struct EnrolmentTests {
  @Test("goes its straight way, each step validated by a command")
  func straightWay() throws {
    var enrolment = Enrolment()
    #expect(enrolment.begin() == [.scan, .setDeadline(.scan, .seconds(30))])
    #expect(
      try enrolment.take(.choose(Story.peripheral), validating: .chooseSensor)
        == [.connect(Story.peripheral), .setDeadline(.connect, .seconds(70))])
    #expect(
      enrolment.observe(.linkOpened(snapshot: .idle)) == [
        .setDeadline(.attention, .seconds(600))
      ])
    let credentials = try Story.credentials
    #expect(
      try enrolment.take(.sendWiFi(credentials), validating: .giveWiFi)
        == [.writeWiFi(credentials), .clearDeadline])
    #expect(enrolment.observe(.wifiWritten) == [.setDeadline(.wifi, .seconds(17))])
    #expect(enrolment.observe(.statusHeard(.starting)) == [.setDeadline(.wifi, .seconds(10))])
    #expect(enrolment.observe(.statusHeard(.associated)).isEmpty)
    #expect(
      enrolment.observe(.statusHeard(.joined(Story.ip))) == [
        .saveNetwork, .setDeadline(.attention, .seconds(600)),
      ])
    #expect(
      try enrolment.take(.acceptWiFi, validating: .verifyWiFi) == [.openAccount, .clearDeadline])
    #expect(enrolment.observe(.accountReserved("332211CCBBAA-1")).isEmpty)
    #expect(enrolment.observe(.accountOpened) == [.writeMQTT, .clearDeadline])
    #expect(
      enrolment.observe(.mqttDelivered(at: Story.delivered)) == [
        .disconnect(after: .seconds(2)), .setDeadline(.firstReading, .seconds(60)),
      ])
    #expect(
      enrolment.observe(.readingStored) == [
        .keepAccount, .setDeadline(.parked, .seconds(86_400)),
      ])
    _ = try enrolment.take(.acceptReading, validating: .receiveReading)
    let name = try SensorName("Salle 1")
    #expect(
      try enrolment.take(.register(name), validating: .nameSensor)
        == [.register(name), .clearDeadline])
    #expect(enrolment.state == .completed)
    #expect(enrolment.progress.isConsistent)
  }

  @Test("asks for each thing in its turn")
  func expectations() throws {
    #expect(
      try Story.all().map(\.state.expectation) == [
        .chooseSensor, .wait, .giveWiFi, .wait, .wait, .acceptWiFi, .wait, .wait, .wait,
        .acceptReading, .name, .nothing,
      ])
    #expect(try Story.all().map(\.step.rawValue) == [1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5])
  }

  @Test("a status heard between the sensor's own receipt and the acknowledgement counts")
  func earlyStatus() throws {
    var enrolment = try Story.writingWiFi()
    // Of an earlier try: before the sensor says that it has this key.
    _ = enrolment.observe(.statusHeard(.starting))
    _ = enrolment.observe(.statusHeard(.joined(Story.ip)))
    _ = enrolment.observe(.statusHeard(.keyReceived))
    _ = enrolment.observe(.statusHeard(.starting))
    #expect(
      enrolment.observe(.wifiWritten).last == .setDeadline(.wifi, .seconds(10)),
      "the attempt has started")
    guard case .joiningWiFi = enrolment.state else {
      Issue.record("\(enrolment.state)")
      return
    }
  }

  @Test("a verdict against it is a complaint: the form again, still step 3, on the same link")
  func wifiComplaint() throws {
    var enrolment = try Story.joiningWiFi()
    _ = enrolment.observe(.statusHeard(.starting))
    _ = enrolment.observe(.statusHeard(.left(reason: 15)))
    let effects = enrolment.observe(.statusHeard(.left(reason: 15)))
    #expect(effects == [.setDeadline(.attention, .seconds(600))], "the link stays")
    #expect(enrolment.state.complaint == Fault(.wifi(reason: 15)))
    #expect(enrolment.step == .verifyWiFi)

    let credentials = try Story.credentials
    #expect(
      try enrolment.take(.sendWiFi(credentials), validating: .verifyWiFi)
        == [.writeWiFi(credentials), .clearDeadline])
  }

  @Test("a complete address after the complaint still makes step 3 validatable")
  func lateAddress() throws {
    var enrolment = try Story.joiningWiFi()
    _ = enrolment.observe(.statusHeard(.starting))
    _ = enrolment.observe(.deadlinePassed(.wifi, blame: nil))
    #expect(enrolment.state.complaint == Fault(.wifiSilence))
    _ = enrolment.observe(.statusHeard(.joined(Story.ip)))
    #expect(enrolment.state == .joined(Story.ip))
  }

  // "progress does not extend the deadline"
  @Test("P02: a sensor that says it is connecting for ever does not extend the deadline")
  func noExtension() throws {
    var enrolment = try Story.joiningWiFi()
    #expect(enrolment.observe(.statusHeard(.starting)).count == 1)
    for _ in 1...600 { #expect(enrolment.observe(.statusHeard(.starting)).isEmpty) }
    _ = enrolment.observe(.deadlinePassed(.wifi, blame: nil))
    #expect(enrolment.state.complaint == Fault(.wifiSilence))
  }

  @Test("no account is a complaint; resuming tries again on the same link")
  func accountComplaint() throws {
    var enrolment = try Story.openingAccount()
    _ = enrolment.observe(.accountFailed(Fault(.brokerUnreachable)))
    #expect(enrolment.state == .awaitingAccount(complaint: Fault(.brokerUnreachable)))
    #expect(enrolment.step == .receiveReading)
    #expect(try enrolment.take(.resume) == [.openAccount, .clearDeadline])
  }

  @Test("no first reading is a complaint; a late one still makes step 4 validatable")
  func readingComplaint() throws {
    var enrolment = try Story.awaitingReading()
    _ = enrolment.observe(.deadlinePassed(.firstReading, blame: Fault(.sensorUnreachable)))
    #expect(enrolment.state == .awaitingReading(complaint: Fault(.sensorUnreachable)))
    #expect(enrolment.step == .receiveReading)
    var resumed = enrolment
    #expect(try resumed.take(.resume).first == .connect(Story.peripheral))
    #expect(
      resumed.observe(.linkOpened(snapshot: .idle)) == [.openAccount, .clearDeadline],
      "the four values are written again")
    _ = enrolment.observe(.readingStored)
    #expect(enrolment.state == .heard)
  }

  @Test("a reading that comes while the link is sought again ends the search")
  func readingWhileConnecting() throws {
    var enrolment = try Story.awaitingReading()
    _ = enrolment.observe(.deadlinePassed(.firstReading, blame: nil))
    _ = try enrolment.take(.resume)
    #expect(
      enrolment.observe(.readingStored).prefix(2) == [.disconnect(after: .zero), .keepAccount])
    #expect(enrolment.state == .heard)
  }

  @Test("the link's loss after the fourth value is neither complaint nor failure")
  func expectedLoss() throws {
    var enrolment = try Story.awaitingReading()
    let before = enrolment
    #expect(enrolment.observe(.linkLost(Fault(.linkLost))).isEmpty)
    #expect(enrolment == before)
  }

  @Test("the link's loss before the fourth value ends it", arguments: 2...6)
  func loss(state: Int) throws {
    var enrolment = try Story.all()[state]
    _ = enrolment.observe(.linkLost(Fault(.linkLost)))
    #expect(enrolment.state == .failed(Fault(.linkLost)))
    #expect(enrolment.progress.failure == Fault(.linkLost))
  }

  @Test("one to three values written end it as a partial set", arguments: 1...3)
  func partialSet(acknowledged: Int) throws {
    var enrolment = try Story.writingMQTT()
    let effects = enrolment.observe(
      .mqttWriteFailed(acknowledged: acknowledged, Fault(.linkLost)))
    #expect(enrolment.progress.failure?.code == .partialMQTTWrite)
    #expect(!effects.contains(.deleteAccount("332211CCBBAA-1")), "the sensor may hold it")
  }

  @Test("an end before the first MQTT value takes the new account with it, a later one does not")
  func accountAtTheEnd() throws {
    var early = try Story.openingAccount()
    #expect(try early.take(.cancel).contains(.deleteAccount("332211CCBBAA-1")))
    var late = try Story.awaitingReading()
    #expect(try !late.take(.cancel).contains(.deleteAccount("332211CCBBAA-1")))
    var none = try Story.joined()
    #expect(try none.take(.cancel) == [.disconnect(after: .zero), .clearDeadline])
  }

  @Test("left alone with the link open it is parked, and ends after a day")
  func leftAlone() throws {
    for story in [try Story.awaitingWiFi(), try Story.joined()] {
      var enrolment = story
      #expect(
        enrolment.observe(.deadlinePassed(.attention, blame: nil))
          == [.disconnect(after: .zero), .setDeadline(.parked, .seconds(86_400))])
      #expect(enrolment.state == .parked(complaint: Fault(.leftAlone)))
      #expect(enrolment.step == story.step)
      var resumed = enrolment
      #expect(try resumed.take(.resume).first == .connect(Story.peripheral))
      _ = enrolment.observe(.deadlinePassed(.parked, blame: nil))
      #expect(enrolment.state == .failed(Fault(.abandoned)))
    }
  }

  @Test("a scan that finds nothing is a complaint; one that finds something goes on")
  func scan() throws {
    var enrolment = Enrolment()
    _ = enrolment.observe(.deadlinePassed(.scan, blame: nil))
    #expect(enrolment.state == .scanning(complaint: nil))
    _ = enrolment.observe(.deadlinePassed(.scan, blame: Fault(.notSeen)))
    #expect(enrolment.state == .scanning(complaint: Fault(.notSeen)))
    #expect(try enrolment.take(.resume).first == .scan)
  }

  @Test("an event out of turn changes nothing and asks for nothing")
  func eventsOutOfTurn() throws {
    let completed = try Story.completed()
    let events: [Enrolment.Event] = [
      .scanFailed(Fault(.adapterOff)), .linkOpened(snapshot: .idle), .linkFailed(Fault(.linkLost)),
      .linkLost(Fault(.linkLost)), .wifiWritten, .wifiWriteFailed(Fault(.writeRefused)),
      .statusHeard(.joined(Story.ip)), .accountReserved("x"), .accountOpened,
      .accountFailed(Fault(.accountFailed)), .mqttDelivered(at: Story.delivered),
      .mqttWriteFailed(acknowledged: 1, Fault(.linkLost)), .readingStored,
      .deadlinePassed(.wifi, blame: nil), .deadlinePassed(.firstReading, blame: nil),
    ]
    for event in events {
      var enrolment = completed
      #expect(enrolment.observe(event).isEmpty)
      #expect(enrolment == completed, "\(event.word)")
    }
  }

  @Test("no state of it holds a credential")
  func noCredential() throws {
    for enrolment in try Story.all() {
      #expect(!String(reflecting: enrolment).contains("marker-key"))
    }
  }
}
