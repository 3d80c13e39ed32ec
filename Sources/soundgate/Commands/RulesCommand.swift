import Domain
import Texts
import Web

/// `soundgate rules`: what makes an alert.
enum RulesCommand: Command {
  static let name = "rules"
  static let summary = Phrase(
    en: "list, add, change, enable, disable and delete rules",
    fr: "lister, ajouter, modifier, activer, désactiver et supprimer les règles")
  static let usage = Phrase(
    en: """
      usage: soundgate rules [list [CHIP] | templates | show RULE | delete RULE
                              | add CHIP TEMPLATE --threshold N [OPTIONS]
                              | edit RULE [OPTIONS] | enable RULE | disable RULE] [--json]

      OPTIONS: --operator '>' (> >= < <= == !=)  --threshold N  --cooldown SECONDS  --label TEXT
               --severity warn|high|critical  --disabled

      A threshold beyond the template's bounds and a cooldown below its minimum are brought within
      them, and you are told.

      examples:
        soundgate rules add 332211CCBBAA level --threshold 80 --label "Too loud"
        soundgate rules edit 4c1f… --cooldown 300
      """,
    fr: """
      usage : soundgate rules [list [PUCE] | templates | show RÈGLE | delete RÈGLE
                               | add PUCE MODÈLE --threshold N [OPTIONS]
                               | edit RÈGLE [OPTIONS] | enable RÈGLE | disable RÈGLE] [--json]

      OPTIONS : --operator '>' (> >= < <= == !=)  --threshold N  --cooldown SECONDES
                --label TEXTE  --severity warn|high|critical (modérée, élevée, critique)
                --disabled

      Un seuil hors des bornes du modèle et un délai sous son minimum y sont ramenés, et vous en êtes
      averti.

      exemples :
        soundgate rules add 332211CCBBAA level --threshold 80 --label "Trop fort"
        soundgate rules edit 4c1f… --cooldown 300
      """)
  static let options: Set<String> = ["operator", "threshold", "cooldown", "label", "severity"]
  static let flags: Set<String> = ["disabled"]

  static func run(_ call: Call) async throws -> Int32 {
    let gateway = Gateway(call)
    let verb = call.arguments.words.first ?? "list"
    switch verb {
    case "list":
      try call.arguments.expect(atMost: 2)
      let filter = call.arguments.words.count > 1 ? "?sensor=\(try call.chip())" : ""
      try await call.show(gateway.send("GET", "/rules\(filter)"), as: [API.Rule].self, list)
    case "templates":
      try await call.show(gateway.send("GET", "/templates"), as: [API.Template].self, templates)
    case "show":
      try await call.show(
        gateway.send("GET", "/rules/\(try await rule(call, gateway))"), as: API.Rule.self, show)
    case "add":
      try call.arguments.expect(atMost: 3)
      try await call.show(
        gateway.send("POST", "/rules", body: draft(call)), as: API.Rule.self, show)
    case "edit", "enable", "disable":
      var change = verb == "edit" ? try change(call) : API.RuleChange()
      if verb != "edit" { change.enabled = verb == "enable" }
      try await call.show(
        gateway.send("PATCH", "/rules/\(try await rule(call, gateway))", body: change),
        as: API.Rule.self, show)
    case "delete":
      try await gateway.send("DELETE", "/rules/\(try await rule(call, gateway))")
      try call.tell(Phrase(en: "The rule was deleted.", fr: "La règle a été supprimée."))
    default: throw Arguments.Refusal.unknownCommand("rules \(verb.visible)")
    }
    return 0
  }

  /// The rule among the words: its id, or the start of it when that is enough to tell.
  private static func rule(_ call: Call, _ gateway: Gateway) async throws -> String {
    let word = try call.id(called: call.placeholder("RULE", "RÈGLE"))
    let rules: [API.Rule] = try await gateway.get("/rules")
    return try call.only(word, among: rules.map(\.id))
  }

  private static func draft(_ call: Call) throws -> API.RuleDraft {
    let arguments = call.arguments
    let sensor = try call.chip()
    let template = try arguments.word(2, called: call.placeholder("TEMPLATE", "MODÈLE"))
    guard let threshold = try arguments.decimal("threshold") else {
      throw Arguments.Refusal.missingWord("--threshold")
    }
    return API.RuleDraft(
      sensor: sensor, template: template, operator: try arguments.choice("operator"),
      threshold: threshold,
      cooldown: try arguments.number("cooldown", in: 0...1_000_000), label: arguments["label"],
      severity: try arguments.choice("severity"), enabled: !arguments.has("disabled"))
  }

  private static func change(_ call: Call) throws -> API.RuleChange {
    var change = API.RuleChange()
    change.operator = try call.arguments.choice("operator")
    change.threshold = try call.arguments.decimal("threshold")
    change.cooldown = try call.arguments.number("cooldown", in: 0...1_000_000)
    change.label = call.arguments["label"]
    change.severity = try call.arguments.choice("severity")
    if call.arguments.has("disabled") { change.enabled = false }
    return change
  }

  private static func list(_ rules: [API.Rule], on terminal: Terminal) {
    guard !rules.isEmpty else {
      terminal.say(
        Phrase(
          en: "No rules. Add one: soundgate rules add CHIP level --threshold 80",
          fr: "Aucune règle. Pour en ajouter une : soundgate rules add PUCE level --threshold 80"))
      return
    }
    var table = Table([
      Phrase(en: "RULE", fr: "RÈGLE"), Phrase(en: "SENSOR", fr: "CAPTEUR"),
      Phrase(en: "LABEL", fr: "LIBELLÉ"), Phrase(en: "CONDITION", fr: "CONDITION"),
      Phrase(en: "COOLDOWN", fr: "DÉLAI"), Phrase(en: "SEVERITY", fr: "GRAVITÉ"),
      Phrase(en: "ON", fr: "ACTIVE"),
    ])
    for rule in rules {
      table.add([
        String(rule.id.prefix(8)), rule.sensor.text, rule.label, condition(rule, terminal),
        "\(rule.cooldown) s", rule.severity.name[terminal.language],
        Format.yesNo(rule.enabled)[terminal.language],
      ])
    }
    table.print(on: terminal)
  }

  private static func condition(_ rule: API.Rule, _ terminal: Terminal) -> String {
    let threshold = Format.number(rule.threshold)[terminal.language]
    return "\(rule.field.name[terminal.language]) \(rule.operator.rawValue) \(threshold) "
      + "\(rule.unit)"
  }

  private static func show(_ rule: API.Rule, on terminal: Terminal) {
    for adjustment in rule.adjustments { terminal.note(adjustment) }
    list([rule], on: terminal)
    terminal.say(rule.id)
  }

  private static func templates(_ templates: [API.Template], on terminal: Terminal) {
    var table = Table([
      Phrase(en: "TEMPLATE", fr: "MODÈLE"), Phrase(en: "NAME", fr: "NOM"),
      Phrase(en: "BOUNDS", fr: "BORNES"), Phrase(en: "LEAST COOLDOWN", fr: "DÉLAI MINIMAL"),
    ])
    for template in templates {
      let low = Format.number(template.minimum)[terminal.language]
      let high = Format.number(template.maximum)[terminal.language]
      table.add([
        template.id, template.name, "\(low)…\(high) \(template.unit)",
        "\(template.leastCooldown) s",
      ])
    }
    table.print(on: terminal)
  }
}

extension Arguments {
  /// An option that is a number; a comma is taken for the decimal point.
  func decimal(_ option: String) throws(Refusal) -> Double? {
    guard let text = self[option] else { return nil }
    let isDecimal = text.utf8.allSatisfy { "0123456789+-.,eE".utf8.contains($0) }
    guard isDecimal, let number = Double(String(text.map { $0 == "," ? "." : $0 })),
      number.isFinite
    else {
      throw .badValue(
        option: "--\(option)", value: text.visible,
        expected: Phrase(en: "a number", fr: "un nombre"))
    }
    return number
  }

  /// An option that is one of a few words.
  func choice<Value: RawRepresentable & CaseIterable>(
    _ option: String
  ) throws(Refusal) -> Value? where Value.RawValue == String {
    guard let text = self[option] else { return nil }
    guard let value = Value(rawValue: text) else {
      let words = Value.allCases.map(\.rawValue).joined(separator: " ")
      throw .badValue(
        option: "--\(option)", value: text.visible, expected: Phrase(en: words, fr: words))
    }
    return value
  }
}

extension Call {
  /// The one id that is `word` or begins with it.
  func only(_ word: String, among ids: [String]) throws -> String {
    let matches = ids.filter { $0.hasPrefix(word.lowercased()) }
    guard let match = matches.first, matches.count == 1 || ids.contains(word.lowercased()) else {
      throw Refused(
        .notFound,
        matches.isEmpty
          ? Phrase(
            en: "nothing has the id “\(word.visible)”",
            fr: "rien n’a l’id « \(word.visible) »")
          : Phrase(
            en: "several ids begin with “\(word.visible)”; give more of it",
            fr: "plusieurs ids commencent par « \(word.visible) » ; donnez-en davantage"))
    }
    return ids.contains(word.lowercased()) ? word.lowercased() : match
  }
}
