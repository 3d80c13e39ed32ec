import Domain
import Testing
import Texts

@Suite("Words and numbers")
struct WordsTests {
  /// Every state of an enrolment.
  private static let states: [Enrolment.State] = [
    .scanning(complaint: nil), .parked(complaint: nil), .connecting(isResuming: false),
    .awaitingWiFi(complaint: nil, verdict: nil), .writingWiFi(heard: nil),
    .joined(IPv4Address("192.168.1.2")!), .openingAccount,
    .awaitingAccount(complaint: Fault(.cancelled)), .writingMQTT, .awaitingReading(complaint: nil),
    .heard, .awaitingName, .completed, .failed(Fault(.cancelled)),
  ]

  @Test("of an enrolment's states are French in French, and short enough for a column")
  func states() {
    for word in Self.states.map(\.word) + ["joining-wifi"] {
      let phrase = EnrolmentWords.state(word)
      #expect(phrase.english == word)
      #expect(phrase.french != word)
      #expect(phrase.french.count <= 16, "\(phrase.french)")
    }
    let cancelled = EnrolmentWords.state("failed", isCancelled: true)
    #expect(cancelled == Phrase(en: "cancelled", fr: "annulé"))
  }

  @Test(
    "of an enrolment's causes keep their details",
    arguments: [
      ("begin", "début"), ("scan-failed SG-BLE-101", "recherche échouée SG-BLE-101"),
      ("deadline-passed  ", "délai écoulé :"),
      ("deadline-passed first-reading SG-MQTT-310", "délai écoulé : première mesure SG-MQTT-310"),
      ("mqtt-write-failed 2/4 SG-BLE-103", "envoi du MQTT échoué 2/4 SG-BLE-103"),
      ("something-new 7", "something-new 7"), ("", ""),
    ])
  func causes(text: String, french: String) {
    #expect(EnrolmentWords.cause(text) == Phrase(en: text, fr: french))
  }

  @Test("of every command and event of an enrolment are French in French")
  func everyCause() throws {
    let fault = Fault(.cancelled)
    let commands: [Enrolment.Command] = [
      .acceptWiFi, .acceptReading, .resume, .cancel, .register(try SensorName("Hall")),
    ]
    let events: [Enrolment.Event] = [
      .scanFailed(fault), .linkOpened(snapshot: .idle), .linkFailed(fault), .linkLost(fault),
      .wifiWritten, .wifiWriteFailed(fault), .statusHeard(.left(reason: 15)),
      .accountReserved("332211CCBBAA-1"), .accountOpened, .accountFailed(fault),
      .mqttDelivered(at: Timestamp(seconds: 0)), .mqttWriteFailed(acknowledged: 2, fault),
      .readingStored, .deadlinePassed(.wifi, blame: nil),
    ]
    let words =
      commands.map(\.word) + events.map(\.word)
      + ["choose", "send-wifi", "progress-damaged SG-STORE-601"]
    for word in words {
      #expect(EnrolmentWords.cause(word).french != word)
    }
  }

  @Test("of severities are French in French")
  func severities() {
    #expect(Severity.allCases.map(\.name.english) == ["warn", "high", "critical"])
    #expect(Severity.allCases.map(\.name.french) == ["modérée", "élevée", "critique"])
  }

  @Test("agree in number: English with 1, French with 0 and 1")
  func plurals() {
    let count = { Format.count($0, en: "sensor", "sensors", fr: "capteur", "capteurs") }
    #expect(count(0) == Phrase(en: "0 sensors", fr: "0 capteur"))
    #expect(count(1) == Phrase(en: "1 sensor", fr: "1 capteur"))
    #expect(count(2) == Phrase(en: "2 sensors", fr: "2 capteurs"))
  }

  @Test("are readable also where a number is beyond all bounds")
  func greatNumbers() {
    #expect(Format.number(1e308) == Phrase(en: "1e308", fr: "1e308"))
    #expect(Format.number(-2.5e300) == Phrase(en: "-2.5e300", fr: "-2,5e300"))
    #expect(Format.number(999_999) == Phrase(en: "999999", fr: "999999"))
  }

  @Test("call a refused label a label")
  func label() {
    #expect(
      RuleDraft.Invalid.label(.empty).phrase
        == Phrase(en: "the label is empty", fr: "le libellé est vide"))
    #expect(
      SensorName.Invalid.empty.phrase == Phrase(en: "the name is empty", fr: "le nom est vide"))
  }
}
