import Domain
import Services
import Texts
import Web

/// `soundgate status`: how the gateway does, and why.
enum StatusCommand: Command {
  static let name = "status"
  static let summary = Phrase(
    en: "how the gateway and each of its parts do",
    fr: "comment vont la passerelle et chacune de ses parties")
  static let usage = Phrase(
    en: """
      usage: soundgate status [--json]

      Exit status: 0 no part is down, else by the first that is: 3 Bluetooth, 5 MQTT, 6 storage,
      7 backend, 1 other.
      """,
    fr: """
      usage : soundgate status [--json]

      Code de retour : 0 aucune partie en panne, sinon celui de la première : 3 Bluetooth, 5 MQTT,
      6 stockage, 7 serveur distant, 1 autre.
      """)

  static func run(_ call: Call) async throws -> Int32 {
    try call.arguments.expect(atMost: 0)
    let bytes = try await Gateway(call).send("GET", "/status")
    let status: API.Status = try Gateway.read(bytes)
    if call.wantsJSON {
      call.terminal.say(String(decoding: bytes, as: UTF8.self))
    } else {
      show(status, on: call.terminal)
    }
    let worst = status.components.first { $0.level == .down }
    return worst.map { $0.fault?.code.leg.exitStatus ?? 1 } ?? 0
  }

  private static func show(_ status: API.Status, on terminal: Terminal) {
    let site = status.site.map { " — \($0.visible)" } ?? ""
    let age = Format.span(status.now.timestamp - status.startedAt.timestamp)
    terminal.say(
      Phrase(
        en: "SoundGate \(status.version)\(site): \(status.level.name.english), up \(age.english)",
        fr: "SoundGate \(status.version)\(site) : \(status.level.name.french), "
          + "en service depuis \(age.french)"))
    for component in status.components {
      show(component, now: status.now.timestamp, on: terminal)
    }
    let (waiting, parked) = (status.outbox.waiting, status.outbox.parked)
    terminal.say(
      Phrase(
        en: "sensors: \(status.sensors) · unread alerts: \(status.unreadAlerts) · "
          + "to be sent: \(waiting) · refused by the backend: \(parked)",
        fr: "capteurs : \(status.sensors) · alertes non lues : \(status.unreadAlerts) · "
          + "à envoyer : \(waiting) · refusées par le serveur : \(parked)"))
  }

  private static func show(_ component: API.Component, now: Timestamp, on terminal: Terminal) {
    let mark = terminal.paint("●", component.level.colour)
    let name = Format.label(component.component.name[terminal.language])[terminal.language]
    let level = component.level.name[terminal.language]
    let since = Format.ago(component.since.timestamp, now: now)[terminal.language]
    terminal.say("\(mark) \(name) \(level) (\(since))")
    guard let fault = component.fault else { return }
    let detail = fault.detail.map { " (\($0.visible))" } ?? ""
    terminal.say("    \(fault.message)\(detail) [\(fault.code)]")
    terminal.say("    → \(fault.advice)")
  }
}

extension ComponentLevel {
  var name: Phrase {
    switch self {
    case .ok: Phrase(en: "well", fr: "bien")
    case .degraded: Phrase(en: "degraded", fr: "dégradé")
    case .down: Phrase(en: "down", fr: "en panne")
    }
  }

  var colour: Terminal.Colour {
    switch self {
    case .ok: .green
    case .degraded: .yellow
    case .down: .red
    }
  }
}

extension Component {
  var name: Phrase {
    switch self {
    case .bluetooth: Phrase(en: "Bluetooth", fr: "Bluetooth")
    case .broker: Phrase(en: "broker connection", fr: "connexion au broker")
    case .brokerGuarantee: Phrase(en: "broker guarantee", fr: "garantie du broker")
    case .brokerAddress: Phrase(en: "address given to sensors", fr: "adresse donnée aux capteurs")
    case .brokerAccounts: Phrase(en: "broker accounts", fr: "comptes du broker")
    case .storage: Phrase(en: "storage", fr: "stockage")
    case .backend: Phrase(en: "backend", fr: "serveur distant")
    case .clock: Phrase(en: "clock", fr: "horloge")
    case .loops: Phrase(en: "internal loops", fr: "boucles internes")
    }
  }
}
