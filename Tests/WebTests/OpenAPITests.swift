import Domain
import Foundation
import Testing
import Web

@Suite("The contract of the API")
struct OpenAPITests {
  private let contract: Contract
  private let bench: APIBench

  init() throws {
    contract = try Contract()
    bench = try APIBench()
  }

  @Test("names exactly the routes that there are")
  func routes() {
    let registered = bench.router.patterns.map { "\($0.method) \($0.pattern)" }
    #expect(registered.sorted() == contract.operations)
    #expect(Set(registered).count == registered.count)
  }

  @Test("leads every reference somewhere")
  func references() {
    #expect(contract.references.count > 30)
    for reference in contract.references {
      #expect(contract.resolve(reference) != nil, "\(reference)")
    }
  }

  private var answers: [(schema: String, type: any Codable.Type)] {
    [
      ("schemas/Fault", API.Fault.self), ("schemas/Error", API.Failure.self),
      ("schemas/Component", API.Component.self), ("schemas/Status", API.Status.self),
      ("schemas/Enrolment", API.Enrolment.self), ("schemas/Sensor", API.Sensor.self),
      ("schemas/UnclaimedSensor", API.UnclaimedSensor.self), ("schemas/Reading", API.Reading.self),
      ("schemas/Level", API.Level.self), ("schemas/Template", API.Template.self),
      ("schemas/Rule", API.Rule.self), ("schemas/Alert", API.Alert.self),
      ("schemas/Backend", API.Backend.self), ("responses/Onboarding", API.Onboarding.self),
      ("responses/Readings", API.Readings.self), ("responses/Alerts", API.Alerts.self),
      ("requestBodies/StepInput", API.StepInput.self), ("requestBodies/Name", API.Name.self),
      ("requestBodies/RuleDraft", API.RuleDraft.self),
      ("requestBodies/RuleChange", API.RuleChange.self),
      ("requestBodies/Backend", API.Destination.self),
    ]
  }

  @Test("describes every field of every value, and no other")
  func fields() throws {
    for (schema, type) in answers {
      let described = try #require(contract.schema(at: schema), "\(schema)")
      let sample = try JSONSerialization.data(withJSONObject: contract.sample(of: described))
      let value: any Codable
      do {
        value = try API.decode(type, from: Array(sample))
      } catch {
        Issue.record("\(schema) is not what \(type) reads: \(error)")
        continue
      }
      let fields = Mirror(reflecting: value).children.compactMap { $0.label.map(snakeCase) }
      #expect(fields.sorted() == described["properties"]?.keys, "\(schema)")
    }
  }

  private func snakeCase(_ name: String) -> String {
    name.map { $0.isUppercase ? "_\($0.lowercased())" : String($0) }.joined()
  }
}

/// `docs/api/openapi.yaml`.
struct Contract {
  private let file: YAML

  init() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    file = try YAML(
      parsing: String(
        contentsOf: root.appending(path: "docs/api/openapi.yaml"), encoding: .utf8))
  }

  /// `GET /status`, …, sorted.
  var operations: [String] {
    let methods = ["get", "put", "post", "patch", "delete"]
    guard let paths = file["paths"] else { return [] }
    return paths.keys.flatMap { path in
      (paths[path]?.keys ?? []).filter(methods.contains).map { "\($0.uppercased()) \(path)" }
    }.sorted()
  }

  var references: Set<String> { Self.references(in: file) }

  private static func references(in value: YAML) -> Set<String> {
    switch value {
    case .text: []
    case .list(let items): items.reduce(into: []) { $0.formUnion(references(in: $1)) }
    case .map(let members):
      members.reduce(into: []) { found, member in
        if member.key == "$ref", let target = member.value.text { found.insert(target) }
        found.formUnion(references(in: member.value))
      }
    }
  }

  func resolve(_ reference: String) -> YAML? {
    guard reference.hasPrefix("#/") else { return nil }
    return file[reference.dropFirst(2).split(separator: "/").map(String.init)]
  }

  /// The schema at a place below `components`; that of the JSON where the place is an answer or a body.
  func schema(at place: String) -> YAML? {
    guard let found = resolve("#/components/\(place)") else { return nil }
    return found[["content", "application/json", "schema"]] ?? found
  }

  /// A value that has every property of the schema.
  func sample(of schema: YAML, named name: String = "") -> Any {
    if let target = schema["$ref"]?.text.flatMap(resolve) { return sample(of: target, named: name) }
    if let known = Self.samples[name] { return known }
    if case .list(let values)? = schema["enum"], let first = values.first?.text { return first }
    switch schema["type"]?.text {
    case "integer": return 1
    case "number": return 1.5
    case "boolean": return true
    case "array": return schema["items"].map { [sample(of: $0)] } ?? []
    case "object":
      guard let properties = schema["properties"] else { return [String: Any]() }
      return properties.keys.reduce(into: [String: Any]()) { object, key in
        object[key] = properties[key].map { sample(of: $0, named: key) }
      }
    default:
      if case .list? = schema["type"] { return 1.5 }
      if schema["pattern"] != nil { return "24A160000001" }
      return schema["format"]?.text == "date-time" ? "2026-11-30T21:05:09.042Z" : "text"
    }
  }

  /// Text that must be of a form which the schema does not tell.
  private static let samples: [String: String] = [
    "code": "SG-BLE-101", "address": "AA:BB:CC:11:22:35", "field": "soundPct",
    "component": "bluetooth",
  ]
}
