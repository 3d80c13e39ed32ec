import Domain
import Foundation
import Simulator
import Storage
import TestSupport
import Testing
import Web

/// Secrets that can be recognised are used, and then looked for everywhere but where they belong.
@Suite("Secrets", .timeLimit(.minutes(3)))
struct MarkerTests {
  private static let key = "marker-of-the-wifi-key-7f3a"
  private static let secret = "marker-of-the-webhook-secret-91c4"
  /// No secret: it must be found, or the search finds nothing at all.
  private static let name = "Marker of the name 5b2e"

  @Test("stay in their sealed store and on the way to their addressee")
  func search() async throws {
    var plan = Stage.Plan(logLevel: "debug")
    plan.network.key = Self.key
    try await Stage.perform(plan) { stage in
      try await stage.sendAlerts(signedWith: Self.secret)
      let processes = Task { try await Self.watchProcesses(stage) }
      let enrolled = try await stage.enrol(name: Self.name, key: Self.key)
      try #require(enrolled.status == 0, "\(enrolled.words)")
      let running = try await processes.value
      let (_, request) = try await stage.provokeAlert()
      let password = try #require(
        await stage.fleet.sensor(Stage.chip)?.snapshot.flash.broker.password)
      #expect(password.count == 32)

      var commands = try await Self.commands(stage)
      commands.add("enrol", enrolled.words)
      let answers = try await Self.answers(stage)
      #expect(await stage.stopDaemon(with: SIGKILL) == -SIGKILL)
      var files = Haystack()
      try files.add(filesBelow: stage.directory.path)
      var log = Haystack()
      log.add("log", await stage.log.all.joined(separator: "\n"))
      let dump = try await Self.dump(stage)

      for secret in [Self.key, Self.secret, password] {
        for haystack in [running, commands, answers, files, log, dump] {
          #expect(haystack.places(of: secret).isEmpty)
        }
        #expect(!String(decoding: request.body, as: UTF8.self).contains(secret))
      }
      for haystack in [running, commands, answers, files, dump] {
        #expect(!haystack.places(of: Self.name).isEmpty)
      }
      #expect(!log.places(of: Stage.chip.text).isEmpty)
      // The secrets were really at work: the sensor holds them.
      #expect(
        await stage.fleet.sensor(Stage.chip)?.snapshot.flash.wifi?.key == Array(Self.key.utf8))
    }
  }

  /// Looks at all processes whenever something is written to the sensor.
  private static func watchProcesses(_ stage: Stage) async throws -> Haystack {
    var haystack = Haystack()
    for await event in await stage.fleet.bluez.events() {
      guard case .written(_, let uuid, _) = event.kind else { continue }
      try haystack.addProcesses()
      if uuid.lowercased() == SensorCharacteristic.mqttPassword.rawValue { break }
    }
    return haystack
  }

  private static func commands(_ stage: Stage) async throws -> Haystack {
    var haystack = Haystack()
    for words in [
      ["status"], ["sensors"], ["sensors", "show", Stage.chip.text], ["enrolments"], ["networks"],
      ["rules"], ["alerts"], ["backend"], ["readings", Stage.chip.text],
    ] {
      for format in [[], ["--json"]] {
        let run = try await Program.run(words + format, socket: stage.socket)
        haystack.add(words.joined(separator: " "), run.words)
      }
    }
    return haystack
  }

  private static func answers(_ stage: Stage) async throws -> Haystack {
    var haystack = Haystack()
    let enrolments: [API.Enrolment] = try await stage.api.get("/enrolments")
    let rules: [API.Rule] = try await stage.api.get("/rules")
    let alerts: API.Alerts = try await stage.api.get("/alerts")
    let chip = Stage.chip
    var paths = [
      "/status", "/sensors", "/sensors/unclaimed", "/sensors/\(chip)", "/sensors/\(chip)/readings",
      "/sensors/\(chip)/levels", "/templates", "/rules", "/alerts", "/backend", "/enrolments",
      "/onboarding/status", "/networks",
    ]
    paths += enrolments.map { "/enrolments/\($0.id)" }
    paths += rules.map { "/rules/\($0.id)" }
    paths += alerts.alerts.map { "/alerts/\($0.id)" }
    for path in paths {
      let answer = try await stage.api.answer(path)
      #expect(answer.status < 500, "\(path): \(answer.status)")
      haystack.add(path, bytes: answer.body)
    }
    return haystack
  }

  /// Every value of every table.
  private static func dump(_ stage: Stage) async throws -> Haystack {
    let database = try stage.database()
    let tables = try await stage.rows(
      database, "SELECT name AS value FROM sqlite_schema WHERE type = 'table'")
    #expect(tables.count > 10)
    var haystack = Haystack()
    for table in tables {
      let columns = try await stage.rows(
        database, "SELECT name AS value FROM pragma_table_info('\(table)')")
      for column in columns {
        let values = try await stage.rows(
          database,
          """
          SELECT CASE typeof("\(column)") WHEN 'blob' THEN lower(hex("\(column)"))
            ELSE coalesce(CAST("\(column)" AS TEXT), '') END AS value FROM "\(table)"
          """)
        haystack.add("\(table).\(column)", values.joined(separator: "\n"))
      }
    }
    await database.close()
    return haystack
  }
}
