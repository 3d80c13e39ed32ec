import Domain
import Foundation
import Storage
import TestSupport
import Testing
import Web

@Suite("The API's rules")
struct RuleRouteTests {
  private let bench: APIBench
  private let chip = APIBench.chip

  init() throws { bench = try APIBench() }

  private func make(
    template: String = "level", threshold: String = "70", more: String = ""
  ) async throws -> APIBench.Answer {
    try await bench.ask(
      "POST", "/rules",
      #"{"sensor":"\#(chip)","template":"\#(template)","threshold":\#(threshold)\#(more)}"#)
  }

  private func rules() async throws -> [API.Rule] {
    try await bench.ask("GET", "/rules?sensor=\(chip)").json()
  }

  // "règle créée via API, visible dans la liste du capteur"
  @Test("TC-IOS-RULES-01: are made from a template and then listed with the sensor")
  func create() async throws {
    try await bench.enrol()
    try await bench.enrol(sensorID(2), name: "Hall")
    let answer = try await make(
      more: #","operator":">=","cooldown":120,"label":"Trop fort","severity":"critical""#)
    #expect(answer.status == 201)
    let rule: API.Rule = try answer.json()
    #expect(rule.field == .soundPct && rule.unit == "%")
    #expect(rule.operator == .greaterOrEqual && rule.threshold == 70 && rule.cooldown == 120)
    #expect(rule.label == "Trop fort" && rule.severity == .critical && rule.enabled)
    #expect(rule.adjustments.isEmpty)
    #expect(try await rules() == [rule])
    #expect(
      try await bench.ask("GET", "/rules?sensor=\(sensorID(2))").json([API.Rule].self).isEmpty)
  }

  @Test("take from the template what is left out")
  func defaults() async throws {
    try await bench.enrol()
    let rule: API.Rule = try await make(template: "loud").json()
    #expect(rule.field == .soundMax && rule.operator == .greater && rule.cooldown == 30)
    #expect(rule.label == "Loud %" && rule.severity == .high && rule.enabled)
  }

  @Test("without a label bear the template's name in each reader's language, whoever made them")
  func title() async throws {
    try await bench.enrol()
    let path = "/rules/\(try await make(template: "loud").json(API.Rule.self).id)"
    #expect(try await bench.ask("GET", path, language: "fr").json(API.Rule.self).label == "Fort %")
    let edited = try await bench.ask("PATCH", path, #"{"threshold":50}"#, language: "fr")
    #expect(try edited.json(API.Rule.self).label == "Fort %")
    #expect(try await bench.ask("GET", path).json(API.Rule.self).label == "Loud %")
  }

  // "seuil bloqué aux bornes min/max, pas d'envoi hors limites"
  @Test(
    "TC-IOS-RULES-02: have a threshold out of bounds brought to the bound, and say so",
    arguments: [
      ("level", "250", 100.0), ("level", "-3", 0), ("dbfs", "-200", -90), ("dbfs", "4", 0),
    ]
  )
  func threshold(template: String, asked: String, given: Double) async throws {
    try await bench.enrol()
    let rule: API.Rule = try await make(template: template, threshold: asked).json()
    #expect(rule.threshold == given)
    #expect(rule.adjustments.count == 1)
    #expect(rule.adjustments.first?.contains("threshold \(asked)") == true)
    #expect(try await bench.store.read { try RuleStore($0).all() }.map(\.threshold) == [given])
  }

  // "cooldown bloqué à la valeur minimale"
  @Test(
    "TC-IOS-RULES-03: have a cooldown below the minimum brought to it, and say so",
    arguments: [("level", 5, 60), ("loud", 0, 30), ("level", -1, 60), ("level", 90_000, 3600)])
  func cooldown(template: String, asked: Int, given: Int) async throws {
    try await bench.enrol()
    let rule: API.Rule = try await make(template: template, more: #","cooldown":\#(asked)"#)
      .json()
    #expect(rule.cooldown == given)
    #expect(rule.adjustments.count == 1)
    #expect(try await rules().first?.cooldown == given)
  }

  // "état mis à jour via PATCH sur l'API, toggle reflète le nouvel état"
  @Test("TC-IOS-RULES-04: are switched off and on by PATCH, all else unchanged")
  func toggle() async throws {
    try await bench.enrol()
    let made: API.Rule = try await make().json()
    for enabled in [false, true] {
      let answer = try await bench.ask("PATCH", "/rules/\(made.id)", #"{"enabled":\#(enabled)}"#)
      #expect(answer.status == 200)
      #expect(try answer.json(API.Rule.self).enabled == enabled)
      #expect(try await rules().map(\.enabled) == [enabled])
    }
    #expect(try await rules() == [made])
  }

  // "modifications persistées sur l'API"
  @Test("TC-IOS-RULES-05: keep a new threshold and cooldown, within bounds")
  func edit() async throws {
    try await bench.enrol()
    let made: API.Rule = try await make().json()
    let path = "/rules/\(made.id)"
    let answer = try await bench.ask("PATCH", path, #"{"threshold":55.5,"cooldown":600}"#)
    #expect(answer.status == 200)
    let edited: API.Rule = try await bench.ask("GET", path).json()
    #expect(edited.threshold == 55.5 && edited.cooldown == 600)
    #expect(edited.label == made.label && edited.operator == made.operator)

    let clamped: API.Rule = try await bench.ask("PATCH", path, #"{"threshold":900}"#).json()
    #expect(clamped.threshold == 100 && clamped.adjustments.count == 1)
  }

  // "règle supprimée sur l'API, disparaît de la liste"
  @Test("TC-IOS-RULES-06: are gone from the list once deleted")
  func delete() async throws {
    try await bench.enrol()
    let made: API.Rule = try await make().json()
    let answer = try await bench.ask("DELETE", "/rules/\(made.id)")
    #expect(answer.status == 204 && answer.text.isEmpty)
    #expect(try await rules().isEmpty)
    for method in ["GET", "DELETE"] {
      #expect(try await bench.ask(method, "/rules/\(made.id)").status == 404)
    }
    #expect(try await bench.ask("PATCH", "/rules/\(made.id)", "{}").status == 404)
  }

  @Test("are refused when they make no sense, and nothing is stored")
  func refused() async throws {
    try await bench.enrol()
    let bodies = [
      #"{"sensor":"\#(chip)","template":"nonsense","threshold":1}"#,
      #"{"sensor":"\#(chip)","template":"calibrated","threshold":60}"#,
      #"{"sensor":"\#(chip)","template":"level"}"#,
      #"{"sensor":"\#(chip)","template":"level","threshold":1,"operator":"=>"}"#,
      #"{"sensor":"\#(chip)","template":"level","threshold":1,"severity":"mild"}"#,
      #"{"sensor":"\#(chip)","template":"level","threshold":1,"label":""}"#,
      #"{"sensor":"lower","template":"level","threshold":1}"#,
    ]
    for body in bodies {
      let answer = try await bench.ask("POST", "/rules", body)
      #expect(answer.status == 400, "\(body): \(answer.text)")
      #expect(try answer.failure().code == Code.invalidInput.description)
    }
    let unknown = #"{"sensor":"\#(sensorID(9))","template":"level","threshold":1}"#
    #expect(try await bench.ask("POST", "/rules", unknown).status == 404)
    #expect(try await rules().isEmpty)
  }

  @Test("may use the calibrated template once the sensor is calibrated")
  func calibrated() async throws {
    try await bench.enrol(calibration: 94)
    let rule: API.Rule = try await make(template: "calibrated").json()
    #expect(rule.field == .level && rule.unit == "dB")
  }

  @Test("have templates with names in the caller's language")
  func templates() async throws {
    let french: [API.Template] = try await bench.ask("GET", "/templates", language: "fr").json()
    #expect(french.map(\.id) == RuleTemplate.all.map(\.id))
    #expect(french.first?.name == "Niveau %")
    #expect(french.first?.leastCooldown == 60 && french.first?.greatestCooldown == 3600)
  }
}
