import Domain
import FoundationEssentials
import Services
import Storage
import Texts

extension Endpoints {
  func addRuleRoutes(to router: inout Router) {
    on("GET", "/templates", in: &router) { _, language in
      try .encoded(RuleTemplate.all.map { API.Template($0, language) })
    }
    on("GET", "/rules", in: &router) { request, language in
      let sensor = try request.sensorFilter()
      let (rules, states) = try await database.read { connection in
        let store = RuleStore(connection)
        return (try sensor.map(store.of) ?? store.all(), try store.states())
      }
      return try .encoded(rules.map { API.Rule($0, state: states[$0.id], language) })
    }
    on("POST", "/rules", in: &router) { request, language in
      let body: API.RuleDraft = try request.json()
      guard let template = RuleTemplate.find(body.template) else {
        throw RuleDraft.Invalid.unknownTemplate
      }
      let draft = RuleDraft(
        template: template.id, comparison: body.operator ?? template.comparison,
        threshold: body.threshold, cooldown: body.cooldown ?? template.minimumCooldown,
        label: body.label, severity: body.severity ?? .high,
        isEnabled: body.enabled ?? true)
      let made = try await database.write { connection in
        try SensorStore(connection).find(body.sensor).map { sensor in
          try insert(draft, for: sensor, into: RuleStore(connection))
        }
      }
      guard let made else { throw Refusal.notFound(Self.sensor) }
      let (rule, adjustments) = try made.get()
      return try .encoded(
        API.Rule(rule, state: nil, adjustments: adjustments, language), status: 201)
    }
    on("GET", "/rules/{id}", in: &router) { request, language in
      let id = try request.id(of: Self.rule)
      let found = try await database.read { connection in
        let store = RuleStore(connection)
        return try store.find(id).map { ($0, try store.state(of: id)) }
      }
      guard let (rule, state) = found else { throw Refusal.notFound(Self.rule) }
      return try .encoded(API.Rule(rule, state: state, language))
    }
    on("PATCH", "/rules/{id}", in: &router) { request, language in
      let id = try request.id(of: Self.rule)
      let change: API.RuleChange = try request.json()
      return try .encoded(try await changed(id, by: change, language))
    }
    on("DELETE", "/rules/{id}", in: &router) { request, _ in
      let id = try request.id(of: Self.rule)
      guard try await database.write({ try RuleStore($0).delete(id) }) else {
        throw Refusal.notFound(Self.rule)
      }
      return .noContent
    }
  }

  private static let rule = Phrase(en: "rule", fr: "règle")

  /// A rule and what was brought within its template's bounds, or why there is none.
  private typealias Made = Result<
    (rule: Rule, adjustments: [RuleDraft.Adjustment]), RuleDraft.Invalid
  >

  private func made(_ draft: RuleDraft, id: UUID, for sensor: Sensor) -> Made {
    Made { () throws(RuleDraft.Invalid) in try draft.rule(id: id, for: sensor) }
  }

  private func insert(
    _ draft: RuleDraft, for sensor: Sensor, into store: RuleStore
  ) throws -> Made {
    let made = made(draft, id: UUID(), for: sensor)
    if case .success(let new) = made { try store.insert(new.rule) }
    return made
  }

  private func changed(
    _ id: UUID, by change: API.RuleChange, _ language: Language
  ) async throws -> API.Rule {
    let found = try await database.write { connection -> (Made, RuleState)? in
      let store = RuleStore(connection)
      guard let old = try store.find(id), let sensor = try SensorStore(connection).find(old.sensor)
      else { return nil }
      var draft = RuleDraft(old)
      draft.comparison = change.operator ?? draft.comparison
      draft.threshold = change.threshold ?? draft.threshold
      draft.cooldown = change.cooldown ?? draft.cooldown
      draft.label = change.label ?? draft.label
      draft.severity = change.severity ?? draft.severity
      draft.isEnabled = change.enabled ?? draft.isEnabled
      let made = made(draft, id: id, for: sensor)
      if case .success(let new) = made { _ = try store.update(new.rule) }
      return (made, try store.state(of: id))
    }
    guard let (made, state) = found else { throw Refusal.notFound(Self.rule) }
    let (rule, adjustments) = try made.get()
    return API.Rule(rule, state: state, adjustments: adjustments, language)
  }
}
