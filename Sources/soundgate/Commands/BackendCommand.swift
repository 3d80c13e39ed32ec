import Domain
import HTTPClient
import Host
import Services
import Texts
import Web

/// `soundgate backend`: where alerts are sent.
enum BackendCommand: Command {
  static let name = "backend"
  static let summary = Phrase(
    en: "set and show where alerts are sent", fr: "définir et montrer où partent les alertes")
  static let usage = Phrase(
    en: """
      usage: soundgate backend [show | set URL [--secret-file FILE|-] | unset | retry] [--json]

      Each alert is POSTed to URL as JSON, signed with the secret (asked for on the terminal unless
      --secret-file is given; - reads standard input). `retry` sends again what was refused.
      """,
    fr: """
      usage : soundgate backend [show | set URL [--secret-file FICHIER|-] | unset | retry] [--json]

      Chaque alerte part en POST vers URL, en JSON signé avec le secret (demandé au terminal sauf avec
      --secret-file ; - lit l’entrée standard). `retry` renvoie ce qui a été refusé.
      """)
  static let options: Set<String> = ["secret-file"]

  static func run(_ call: Call) async throws -> Int32 {
    let gateway = Gateway(call)
    let verb = call.arguments.words.first ?? "show"
    switch verb {
    case "show":
      try await call.show(gateway.send("GET", "/backend"), as: API.Backend.self, show)
    case "set":
      let url = try call.arguments.word(1, called: "URL")
      try call.arguments.expect(atMost: 2)
      // Nobody is to type a secret for an address that will be refused.
      try judge(url)
      let secret = try await call.secret(
        option: "secret-file",
        Phrase(
          en: "Secret that signs the alerts (empty keeps the present one):",
          fr: "Secret qui signe les alertes (vide garde l’actuel) :"))
      let body = API.Destination(url: url, secret: secret.isEmpty ? nil : secret.reveal())
      try await call.show(gateway.send("PUT", "/backend", body: body), as: API.Backend.self, show)
    case "unset":
      try await gateway.send("DELETE", "/backend")
    case "retry":
      try await call.show(gateway.send("POST", "/backend/retry"), as: API.Backend.self, show)
    default: throw Arguments.Refusal.unknownCommand("backend \(verb.visible)")
    }
    return 0
  }

  private static func judge(_ url: String) throws(Refused) {
    do throws(InvalidURL) {
      try CurlCourier.judge(try Destination(url: url).url)
    } catch {
      throw Refused(.invalidInput, error.phrase, hint: InvalidURL.advice)
    }
  }

  private static func show(_ backend: API.Backend, on terminal: Terminal) {
    let signed =
      backend.hasSecret
      ? Phrase(en: "signed", fr: "signées") : Phrase(en: "not signed", fr: "non signées")
    if let url = backend.url {
      terminal.say("\(url.visible) (\(signed[terminal.language]))")
    } else {
      terminal.say(
        Phrase(
          en: "No backend is set; alerts are kept here.",
          fr: "Aucun serveur distant ; les alertes restent ici."))
    }
    terminal.say(
      Phrase(
        en: "waiting \(backend.waiting) · refused \(backend.parked)",
        fr: "en attente \(backend.waiting) · refusées \(backend.parked)"))
  }
}
