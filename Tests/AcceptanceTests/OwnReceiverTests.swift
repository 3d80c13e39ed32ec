import Crypto
import Domain
import Foundation
import Simulator
import Storage
import TestSupport
import Testing
import Texts
import Web

/// The main job, driven by the commands, with a backend of the test's own.
@Suite("From an unknown sensor to a delivered alert", .serialized, .timeLimit(.minutes(4)))
struct OwnReceiverTests {
  /// "WiFi provisionné via GATT", "Statut WiFi passe à positif (got_ip / connected)", "Credentials
  /// MQTT (host, port, user, pass) envoyés via BLE", "Capteur créé sur l'API", "Capteur visible dans
  /// la liste" — and on to the alert.
  @Test("TC-IOS-BLE-02: enrols, hears, stores, judges and delivers, with proof on every side")
  func mainStory() async throws {
    try await Stage.perform { stage in
      try await stage.sendAlerts(signedWith: Stage.secret)
      let enrolled = try await stage.enrol(language: .french)
      try #require(enrolled.status == 0, "\(enrolled.words)")
      for step in 1...5 { #expect(enrolled.output.contains("✓ \(step)/5 ")) }
      try await checkSensor(stage)
      try await checkBroker(stage)
      let (rule, request) = try await stage.provokeAlert()
      let delivered = try check(request, rule)
      _ = try await stage.api.wait("/alerts/\(delivered.id)") { (alert: API.Alert) in
        alert.delivery == .delivered
      }
      let shown = try await stage.run("alerts", "show", delivered.id, language: .french)
      #expect(shown.output.contains("remise"), "\(shown.words)")
      #expect(await stage.stopDaemon() == 0)
      try await checkRows(stage, delivered)
    }
  }

  private func checkSensor(_ stage: Stage) async throws {
    let sensors: [API.Sensor] = try await stage.api.get("/sensors")
    let sensor = try #require(sensors.first)
    #expect(sensors.count == 1)
    #expect(sensor.chip == Stage.chip)
    #expect(sensor.name == "Escalier")
    #expect(sensor.account == "\(Stage.chip)-1")
    #expect(sensor.level != nil)
    #expect(sensor.online)
    let list = try await stage.run("sensors", language: .french)
    #expect(list.output.contains("Escalier"))
    #expect(list.output.contains(#/\d+ %/#))

    // The sensor erases a set of settings that it has not got whole within its coalescing time.
    let written = brokerSettingsWritten(in: await stage.fleet.bluez.history)
    #expect(
      written.map(\.0) == [.mqttHost, .mqttPort, .mqttUser, .mqttPassword])
    let first = try #require(written.first).1
    let last = try #require(written.last).1
    #expect(last - first < .milliseconds(300), "\(last - first)")
  }

  /// The sensor's session, by the broker's own word.
  private func checkBroker(_ stage: Stage) async throws {
    let chip = Stage.chip
    #expect(await stage.broker.said("as ESP32C3-\(chip)"))
    let login = try #require(
      await stage.broker.lines.last { $0.contains("as ESP32C3-\(chip)") })
    #expect(login.contains(#/New client connected from 127\.77\.0\.1:\d+ as ESP32C3-/#), "\(login)")
    #expect(login.contains("u'\(chip)-1'"), "\(login)")
    #expect(!(await stage.broker.lines.contains { $0.contains("not authorised") }))
  }

  private func check(_ request: ReceivedRequest, _ rule: API.Rule) throws -> DeliveredAlert {
    let header = try #require(request.headers["soundgate-signature"])
    #expect(
      Signature.isValid(header, body: request.body, secret: Secret(Stage.secret), at: .now))
    let match = try #require(header.wholeMatch(of: #/t=(\d+),v1=([0-9a-f]{64})/#))
    let signed = Array("\(match.output.1).".utf8) + request.body
    #expect(
      IndependentHMAC.sha256(signed, key: Array(Stage.secret.utf8)) == String(match.output.2))
    #expect(
      IndependentHMAC.sha256(signed + [0x20], key: Array(Stage.secret.utf8))
        != String(match.output.2))

    let alert = try JSONDecoder().decode(DeliveredAlert.self, from: Data(request.body))
    #expect(request.method == "POST")
    #expect(request.headers["content-type"]?.hasPrefix("application/json") == true)
    #expect(request.headers["idempotency-key"] == alert.id)
    #expect(UUID(uuidString: alert.id) != nil)
    #expect(alert.version == 1)
    #expect(alert.sensor.id == Stage.chip.text)
    #expect(alert.sensor.name == "Escalier")
    #expect(alert.rule.id == rule.id)
    #expect(alert.rule.threshold == 80)
    #expect(alert.value > 80)
    return alert
  }

  private func checkRows(_ stage: Stage, _ delivered: DeliveredAlert) async throws {
    let database = try stage.database()
    let chip = Stage.chip.text
    let rows = { try await stage.rows(database, $0) }
    #expect(try await rows("SELECT name AS value FROM sensor WHERE id = '\(chip)'") == ["Escalier"])
    let levels = try await rows(
      """
      SELECT CAST(sound_pct AS TEXT) AS value FROM reading JOIN sensor USING (series)
      WHERE sensor.id = '\(chip)' ORDER BY at
      """)
    #expect(levels.count >= 2)
    #expect(levels.contains { Int($0) ?? 0 > 80 })
    #expect(
      try await rows("SELECT sensor || field || comparison AS value FROM rule")
        == ["\(chip)soundPct>"])
    #expect(
      try await rows("SELECT lower(id) AS value FROM alert WHERE kind = 'rule'") == [delivered.id])
    #expect(try await rows("SELECT id AS value FROM outbox").isEmpty)
    #expect(
      try await rows("SELECT user || ' ' || state AS value FROM account") == ["\(chip)-1 proven"])
    #expect(
      try await rows("SELECT CAST(is_completed AS TEXT) AS value FROM enrolment") == ["1"])
    let steps = try await rows(
      "SELECT DISTINCT CAST(step AS TEXT) AS value FROM audit ORDER BY step")
    #expect(steps == ["1", "2", "3", "4", "5"])
    #expect(try await rows("SELECT integrity_check AS value FROM pragma_integrity_check") == ["ok"])
    await database.close()
  }
}
