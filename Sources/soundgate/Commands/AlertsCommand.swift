import Domain
import Texts
import Web

/// `soundgate alerts`: what happened.
enum AlertsCommand: Command {
  static let name = "alerts"
  static let summary = Phrase(
    en: "list alerts, show one, mark as read",
    fr: "lister les alertes, en montrer une, marquer lues")
  static let usage = Phrase(
    en: """
      usage: soundgate alerts [list [CHIP] [--state unread|read|expired] [--limit N]
                               | show ALERT | read ALERT | read --all] [--json]
      """,
    fr: """
      usage : soundgate alerts [list [PUCE] [--state unread|read|expired] [--limit N]
                                | show ALERTE | read ALERTE | read --all] [--json]
      """)
  static let options: Set<String> = ["state", "limit"]
  static let flags: Set<String> = ["all"]

  static func run(_ call: Call) async throws -> Int32 {
    let gateway = Gateway(call)
    let verb = call.arguments.words.first ?? "list"
    switch verb {
    case "list":
      try call.arguments.expect(atMost: 2)
      var query = ["limit=\(try call.arguments.number("limit", in: 1...1000) ?? 50)"]
      if call.arguments.words.count > 1 { query.append("sensor=\(try call.chip())") }
      if let state: Alert.State = try call.arguments.choice("state") {
        query.append("state=\(state.rawValue)")
      }
      try await call.show(
        gateway.send("GET", "/alerts?\(query.joined(separator: "&"))"), as: API.Alerts.self, list)
    case "show":
      let id = try await alert(call, gateway)
      try await call.show(gateway.send("GET", "/alerts/\(id)"), as: API.Alert.self, show)
    case "read" where call.arguments.has("all"):
      try call.arguments.expect(atMost: 1)
      try await gateway.send("POST", "/alerts/read")
    case "read":
      try await gateway.send("POST", "/alerts/\(try await alert(call, gateway))/read")
    default: throw Arguments.Refusal.unknownCommand("alerts \(verb.visible)")
    }
    return 0
  }

  private static func alert(_ call: Call, _ gateway: Gateway) async throws -> String {
    let word = try call.id(called: call.placeholder("ALERT", "ALERTE"))
    if word.utf8.count == 36 { return word.lowercased().percentEncoded }
    let alerts: API.Alerts = try await gateway.get("/alerts?limit=1000")
    return try call.only(word, among: alerts.alerts.map(\.id))
  }

  private static func list(_ alerts: API.Alerts, on terminal: Terminal) {
    guard !alerts.alerts.isEmpty else {
      terminal.say(Phrase(en: "No alerts.", fr: "Aucune alerte."))
      return
    }
    var table = Table([
      Phrase(en: "ALERT", fr: "ALERTE"), Phrase(en: "WHEN", fr: "QUAND"),
      Phrase(en: "SEVERITY", fr: "GRAVITÉ"), Phrase(en: "STATE", fr: "ÉTAT"),
      Phrase(en: "WHAT", fr: "QUOI"),
    ])
    for alert in alerts.alerts {
      table.add([
        String(alert.id.prefix(8)),
        Format.ago(alert.at.timestamp, now: .now)[terminal.language],
        alert.severity.name[terminal.language],
        alert.state.name[terminal.language], alert.text,
      ])
    }
    table.print(on: terminal)
    terminal.say(
      Format.count(
        alerts.unread, en: "unread alert", "unread alerts", fr: "alerte non lue",
        "alertes non lues"))
  }

  private static func show(_ alert: API.Alert, on terminal: Terminal) {
    terminal.say(terminal.paint(alert.text.visible, .bold))
    let delivery: Phrase =
      switch alert.delivery {
      case .waiting: Phrase(en: "waits to be sent", fr: "en attente d’envoi")
      case .parked: Phrase(en: "refused by the backend", fr: "refusée par le serveur distant")
      case .delivered, nil: Phrase(en: "delivered", fr: "remise")
      }
    terminal.say(
      "\(alert.at.timestamp) · \(alert.severity.name[terminal.language]) · "
        + "\(alert.state.name[terminal.language]) · \(delivery[terminal.language])")
    terminal.say(alert.id)
  }
}

extension Alert.State {
  var name: Phrase {
    switch self {
    case .unread: Phrase(en: "unread", fr: "non lue")
    case .read: Phrase(en: "read", fr: "lue")
    case .expired: Phrase(en: "expired", fr: "expirée")
    }
  }
}
