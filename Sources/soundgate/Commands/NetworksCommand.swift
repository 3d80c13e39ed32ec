import Domain
import Texts
import Web

/// `soundgate networks`: the Wi-Fi networks that are offered at the next enrolment.
enum NetworksCommand: Command {
  static let name = "networks"
  static let summary = Phrase(
    en: "list and forget saved Wi-Fi networks", fr: "lister et oublier les Wi-Fi enregistrés")
  static let usage = Phrase(
    en: "usage: soundgate networks [list | forget NAME] [--json]",
    fr: "usage : soundgate networks [list | forget NOM] [--json]")

  static func run(_ call: Call) async throws -> Int32 {
    let gateway = Gateway(call)
    let verb = call.arguments.words.first ?? "list"
    switch verb {
    case "list":
      try call.arguments.expect(atMost: 1)
      try await call.show(gateway.send("GET", "/networks"), as: [API.Network].self, list)
    case "forget":
      let name = try call.arguments.word(1, called: call.placeholder("NAME", "NOM"))
      try call.arguments.expect(atMost: 2)
      try await gateway.send("DELETE", "/networks?ssid=\(name.percentEncoded)")
      try call.tell(
        Phrase(
          en: "“\(name.visible)” and its key are forgotten.",
          fr: "« \(name.visible) » et sa clé sont oubliés."))
    default: throw Arguments.Refusal.unknownCommand("networks \(verb.visible)")
    }
    return 0
  }

  private static func list(_ networks: [API.Network], on terminal: Terminal) {
    guard !networks.isEmpty else {
      terminal.say(Phrase(en: "No saved networks.", fr: "Aucun réseau enregistré."))
      return
    }
    var table = Table([
      Phrase(en: "NETWORK", fr: "RÉSEAU"), Phrase(en: "LAST USED", fr: "DERNIER USAGE"),
    ])
    for network in networks {
      table.add([
        network.ssid, Format.ago(network.lastUsedAt.timestamp, now: .now)[terminal.language],
      ])
    }
    table.print(on: terminal)
  }
}
