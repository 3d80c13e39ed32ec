import Domain
import Foundation
import Services
import Simulator
import TestSupport
import Testing
import Texts
import Web

/// What comes after the enrolment, with the commands and the built daemon.
@Suite("Living with an enrolled sensor", .serialized, .timeLimit(.minutes(4)))
struct LivingWithSensorsTests {
  private func sensors(_ stage: Stage) async throws -> [API.Sensor] {
    try await stage.api.get("/sensors")
  }

  /// Returns once a reading of the sensor has come that is newer than this call.
  private func hearReading(_ stage: Stage) async throws {
    let readings = try await stage.api.events(
      "/live?sensor=\(Stage.chip)", named: "reading", as: API.Reading.self)
    for try await _ in readings { return }
    Issue.record("the stream of readings ended")
  }

  /// "SSID et mot de passe pré-remplis": the second enrolment is given no key. It updates the sensor
  /// that is known and makes no other.
  @Test("TC-IOS-CFG-02: a second enrolment takes the saved key, and there is one sensor, not two")
  func again() async throws {
    try await Stage.perform { stage in
      let first = try await stage.enrol()
      try #require(first.status == 0, "\(first.words)")
      let networks = try await stage.run("networks", "--json")
      #expect(networks.output.contains(Stage.ssid))

      // The way back to a live sensor's radio that a person has at the sensor itself.
      await stage.fleet.powerCycle(Stage.chip, holdingButton: true)
      let second = try await stage.run(
        "enrol", "--yes", "--sensor", Stage.chip.text, "--ssid", Stage.ssid, "--name", "Palier")
      try #require(second.status == 0, "\(second.words)")

      let after = try await sensors(stage)
      #expect(after.map(\.name) == ["Palier"])
      #expect(after.first?.account == "\(Stage.chip)-2")
      let enrolments: [API.Enrolment] = try await stage.api.get("/enrolments")
      #expect(enrolments.map(\.completed) == [true, true])
      #expect(await stage.broker.said("u'\(Stage.chip)-2'"))
    }
  }

  @Test("TC-IOS-MQTT-01, -04, DEV-01 to -03, ROB-01: lives on, keeps its name, and can go")
  func life() async throws {
    try await Stage.perform { stage in
      let enrolled = try await stage.enrol()
      try #require(enrolled.status == 0, "\(enrolled.words)")
      try await showsLevel(stage)
      try await renames(stage)
      try await survivesTheBroker(stage)
      try await staysWithoutAnyNetwork(stage)
      try await tellsTheTrueLastSighting(stage)
      try await removes(stage)
    }
  }

  /// TC-IOS-MQTT-01: "chaque capteur affiche le dernier niveau sonore (dB), le temps relatif depuis
  /// la dernière mesure, et le sparkline".
  private func showsLevel(_ stage: Stage) async throws {
    let list = try await stage.run("sensors", language: .french)
    let line = try #require(list.output.split(separator: "\n").first { $0.contains("Escalier") })
    #expect(line.contains(#/\d+ %/#))
    #expect(line.contains(#/il y a \d+ s|à l’instant/#), "\(line)")
    #expect(line.contains(#/[▁▂▃▄▅▆▇█]/#), "\(line)")
  }

  /// TC-IOS-DEV-01: "nom mis à jour sur l'API et en local".
  private func renames(_ stage: Stage) async throws {
    let renamed = try await stage.run("sensors", "rename", Stage.chip.text, "Palier, 2e étage")
    #expect(renamed.status == 0, "\(renamed.words)")
    #expect(try await sensors(stage).map(\.name) == ["Palier, 2e étage"])
  }

  /// TC-IOS-ROB-01: "message d'erreur réseau affiché, pas de crash, récupération au retour du réseau".
  private func survivesTheBroker(_ stage: Stage) async throws {
    let parts = try await stage.api.events("/live", named: "component", as: API.Component.self)
    await stage.broker.kill()
    for try await part in parts where part.component == .broker && part.level == .down { break }
    let status = try await stage.run("status", language: .french)
    #expect(status.status == Code.brokerUnreachable.leg.exitStatus)
    #expect(status.output.contains(Code.brokerUnreachable.description), "\(status.words)")
    try await stage.broker.start()
    try await hearReading(stage)
    _ = try await stage.api.wait("/status") { (status: API.Status) in
      status.components.contains { $0.component == .broker && $0.level == .ok }
    }
  }

  /// TC-IOS-DEV-03: "capteurs toujours visibles (données locales), pas de crash" — after a restart
  /// without broker and without Bluetooth.
  private func staysWithoutAnyNetwork(_ stage: Stage) async throws {
    await stage.fleet.sensor(Stage.chip)?.take(.powerDown)
    #expect(await stage.stopDaemon() == 0)
    await stage.broker.stop()
    await stage.fleet.bluez.removeAdapter()
    try await stage.startDaemon()
    let list = try await stage.run("sensors")
    #expect(list.status == 0)
    #expect(list.output.contains("Palier, 2e étage"))
    #expect(try await sensors(stage).first?.level != nil)
  }

  /// TC-IOS-MQTT-04: "le temps relatif "last seen" reflète la dernière connexion réelle, pas de
  /// crash".
  private func tellsTheTrueLastSighting(_ stage: Stage) async throws {
    let chip = Stage.chip
    let page: API.Readings = try await stage.api.get("/sensors/\(chip)/readings?limit=1")
    let last = try #require(page.readings.first)
    let sensor: API.Sensor = try await stage.api.get("/sensors/\(chip)")
    #expect(sensor.lastSeen == last.at)
    let list = try await stage.run("sensors", language: .french)
    #expect(list.output.contains(#/il y a \d+ |à l’instant/#), "\(list.output)")
  }

  /// TC-IOS-DEV-02: "capteur supprimé sur l'API, retiré de la liste".
  private func removes(_ stage: Stage) async throws {
    try await stage.broker.start()
    _ = try await stage.api.wait("/status") { (status: API.Status) in
      status.components.contains { $0.component == .broker && $0.level == .ok }
    }
    let removed = try await stage.run("sensors", "remove", Stage.chip.text, "--yes")
    #expect(removed.status == 0, "\(removed.words)")
    #expect(try await sensors(stage).isEmpty)
    #expect(try await stage.api.answer("/sensors/\(Stage.chip)").status == 404)
  }
}
