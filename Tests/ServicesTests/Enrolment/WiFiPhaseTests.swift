import Domain
import Foundation
import Services
import Storage
import TestSupport
import Testing

private typealias Bench = EnrolmentBench

@Suite("The Wi-Fi phase of an enrolment", .timeLimit(.minutes(1)))
struct WiFiPhaseTests {
  // "statut WiFi passe en négatif après timeout, message d'erreur affiché, possibilité de réessayer"
  @Test("TC-IOS-BLE-03: a wrong key is named, and tried again on the same link")
  func wrongKey() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joining(id, link)
    link.say("Déconnecté (r=15)")
    link.say("Déconnecté (r=15)")
    let complained = try await bench.until(id, state: "awaiting-wifi")
    #expect(complained.complaint?.code == .wifi(reason: 15))
    #expect(complained.step == .verifyWiFi)
    #expect(complained.expects == .giveWiFi)
    #expect(!complained.hasEnded)

    try await bench.sendWiFi(id, step: 3, key: Secret("the-right-key"))
    await link.wrote(.wifiKey, times: 2)
    try await bench.until(id, state: "joining-wifi")
    link.say("Connexion...")
    link.say("Connecté: 192.168.1.7")
    let joined = try await bench.until(id, state: "joined")
    #expect(joined.ip?.text == "192.168.1.7")
    #expect(bench.radio.connects.all.count == 1, "without choosing the sensor again")
  }

  // "timeout au bout de 10 secondes, message d'erreur, option de réessayer"
  @Test("TC-IOS-BLE-05: an unreachable network ends in an error at 10 s, with retry")
  func unreachable() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joining(id, link)
    await link.sayAndBeHeard("Déconnecté (r=201)")
    bench.clock.advance(by: .milliseconds(9_999))
    #expect(try await bench.desk.show(id).state == "joining-wifi")
    bench.clock.advance(by: .milliseconds(1))
    let complained = try await bench.until(id, state: "awaiting-wifi")
    #expect(complained.complaint == Fault(.wifi(reason: 201)))
    #expect(complained.at - Bench.start >= .seconds(10))

    try await bench.sendWiFi(id, step: 3)
    try await bench.until(id, state: "joining-wifi")
  }

  // "erreur affichée, état cohérent, pas de capteur créé en doublon"
  @Test(
    "TC-IOS-BLE-06: the link lost during the Wi-Fi phase ends in an error and leaves no duplicate")
  func linkLost() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joining(id, link)
    link.drop()
    let failed = try await bench.until(id, state: "failed")
    #expect(failed.failure?.code == .linkLost)
    #expect(failed.step == .verifyWiFi)
    #expect(try await bench.sensors.isEmpty)
    #expect(bench.accounts.users.isEmpty)

    _ = try await bench.enrolled()
    _ = try await bench.enrolled(name: "Salle 2", account: 2)
    #expect(try await bench.sensors.map(\.name.text) == ["Salle 2"])
  }

  // "distinct SG- code for each; unknown codes shown as such, never as 'wrong password'"
  @Test(
    "P01: each cause has its own code",
    arguments: [
      (["Erreur: identifiants invalides"], Code.wifiInputRefused),
      (["Connexion...", "Déconnecté (r=202)", "Déconnecté (r=204)"], .wifi(reason: 204)),
    ])
  func causes(says: [String], code: Code) async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.sendWiFi(id)
    try await bench.until(id, state: "joining-wifi")
    for text in says { link.say(text) }
    let complained = try await bench.until(id, state: "awaiting-wifi")
    #expect(complained.complaint?.code == code)
  }

  @Test("P01: a code nobody knows is shown as it is, at 20 s")
  func unknownCause() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joining(id, link)
    await link.sayAndBeHeard("Déconnecté (r=99)")
    bench.clock.advance(by: .seconds(10))
    try await bench.until(id) { $0.deadlineAt == Bench.start + .seconds(20) }
    // What the view says is only about to be slept for.
    await bench.clock.sleeper(dueIn: .seconds(10))
    bench.clock.advance(by: .seconds(10))
    let complained = try await bench.until(id, state: "awaiting-wifi")
    #expect(complained.complaint?.code == .wifi(reason: 99))
  }

  // "second attempt works without restarting anything"
  @Test("P01: after a failure and a new advertisement a second enrolment works in the same process")
  func secondAttempt() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joining(id, link)
    link.drop()
    try await bench.until(id, state: "failed")
    _ = try await bench.enrolled()
    #expect(try await bench.sensors.count == 1)
  }

  // "a write acknowledgement alone is never success. (a) 'unconfirmed', then failed at the deadline"
  @Test("P02: a sensor that drops after the last write is unconfirmed until it is heard")
  func unconfirmed() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.delivered(id, link)
    link.drop()
    #expect(try await !bench.desk.show(id).isValidatable)
    await bench.clock.sleeper(dueIn: .seconds(60))
    bench.clock.advance(by: .seconds(60))
    let complained = try await bench.until(id) { $0.complaint != nil }
    #expect(complained.state == "awaiting-reading")
    #expect(complained.complaint?.code == .sensorUnreachable)
    #expect(complained.expects == .resume)
    #expect(complained.step == .receiveReading)
    #expect(complained.mayHoldAccount)

    // "(c) success by the MQTT sighting"
    try await bench.read(id)
    try await bench.named(id)
    #expect(try await bench.desk.show(id).isCompleted)
  }

  @Test("a notification cut at twenty bytes is read whole before it is believed")
  func cut() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.joining(id, link)
    link.sayCut("Connecté: 10.0.0.123")
    let joined = try await bench.until(id, state: "joined")
    #expect(joined.ip?.text == "10.0.0.123")
  }

  // "SSID et mot de passe pré-remplis"
  @Test("TC-IOS-CFG-02: a network that proved good is offered at the next enrolment, with its key")
  func savedNetwork() async throws {
    let bench = try Bench(links: 2)
    let (id, link) = try await bench.chosen()
    #expect(try await bench.desk.networks().isEmpty)
    try await bench.joined(id, link)
    #expect(try await bench.desk.networks().map(\.ssid) == ["Atelier"])

    let other = SensorID("AABBCC001122")!
    let (second, next) = try await bench.chosen(
      sensor: other, at: BluetoothAddress("AA:BB:CC:11:22:99")!)
    try await bench.sendWiFi(second, key: nil)
    await next.wrote(.wifiKey)
    #expect(next.writes.map(\.text) == ["Atelier", Bench.key.reveal()])

    #expect(try await bench.desk.forget(network: "Atelier"))
    #expect(try await bench.desk.networks().isEmpty)
    #expect(try await !bench.desk.forget(network: "Atelier"))
  }

  @Test("a network is saved only when it is good and wanted, and sealed")
  func networkSealed() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.sendWiFi(id, remember: false)
    try await bench.until(id, state: "joining-wifi")
    link.say("Connexion...")
    link.say("Connecté: 192.168.1.7")
    try await bench.until(id, state: "joined")
    #expect(try await bench.desk.networks().isEmpty)

    try await bench.sendWiFi(id, step: 3)
    try await bench.until(id, state: "joining-wifi")
    link.say("Connexion...")
    link.say("Connecté: 192.168.1.7")
    try await bench.until(id, state: "joined")
    let saved = try #require(try await bench.store.read { try NetworkStore($0).find("Atelier") })
    #expect(!String(decoding: saved.sealedKey, as: UTF8.self).contains(Bench.key.reveal()))
  }

  // "Refused before any BLE write, with the rule in the message."
  @Test("P03: what the sensor cannot take is refused before the first byte")
  func refusedInput() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    let refused = await refusal {
      try await bench.desk.validate(
        id, step: 2, with: .wifi(ssid: "Atelier ", key: Bench.key, remember: true),
        by: Bench.operatorName)
    }
    #expect(refused?.code == .invalidSSID)
    let open = await refusal {
      try await bench.desk.validate(
        id, step: 2, with: .wifi(ssid: "Atelier", key: Secret(""), remember: true),
        by: Bench.operatorName)
    }
    #expect(open?.code == .invalidWiFiPassword)
    let unsaved = await refusal {
      try await bench.desk.validate(
        id, step: 2, with: .wifi(ssid: "Atelier", key: nil, remember: true),
        by: Bench.operatorName)
    }
    #expect(unsaved == .noSavedKey)
    #expect(link.writes.isEmpty)
    #expect(try await bench.desk.show(id).step == .giveWiFi)
  }

  // "Free text is accepted; nothing insists that the SSID be visible."
  @Test("P04: a hidden network's name is sent as it is")
  func hiddenNetwork() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    _ = try await bench.desk.validate(
      id, step: 2, with: .wifi(ssid: "réseau caché", key: Bench.key, remember: false),
      by: Bench.operatorName)
    await link.wrote(.wifiKey)
    #expect(link.writes.first?.text == "réseau caché")
  }
}
