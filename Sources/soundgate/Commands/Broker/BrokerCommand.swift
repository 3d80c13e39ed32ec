import Domain
import Glibc
import Host
import MQTT
import Texts

/// `soundgate broker`: the gateway's own broker, set up and checked.
enum BrokerCommand: Command {
  static let name = "broker"
  static let summary = Phrase(
    en: "set up and check the local MQTT broker", fr: "configurer et vérifier le broker MQTT local")
  static let usage = Phrase(
    en: """
      usage: sudo soundgate broker setup [--address IPV4] [--abandon-lost] [--config FILE]
             soundgate broker check [--store] [--config FILE] [--json]

      setup  writes the broker's files and starts soundgate-broker.service. Running it again is
             harmless. --address is what sensors are given: an IPv4 address of this machine that will
             not change (default: the one given before, else the machine's only one).
             --abandon-lost gives up accounts that a lost store held and nobody remembers.
      check  certificate, address, port, login and account store; --store looks at the store alone,
             as the unit does before each start.
      """,
    fr: """
      usage : sudo soundgate broker setup [--address IPV4] [--abandon-lost] [--config FICHIER]
              soundgate broker check [--store] [--config FICHIER] [--json]

      setup  écrit les fichiers du broker et démarre soundgate-broker.service. Le relancer est sans
             danger. --address est donnée aux capteurs : une adresse IPv4 de cette machine qui ne
             changera pas (par défaut celle donnée auparavant, sinon la seule de la machine).
             --abandon-lost renonce aux comptes d’une base perdue que personne ne connaît plus.
      check  certificat, adresse, port, connexion et base de comptes ; --store ne regarde que la base,
             comme le fait l’unité avant chaque démarrage.
      """)
  static let options: Set<String> = ["config", "address"]
  static let flags: Set<String> = ["store", "abandon-lost"]

  static func run(_ call: Call) async throws -> Int32 {
    let verb = try call.arguments.word(0, called: "setup|check")
    try call.arguments.expect(atMost: 1)
    let configuration = try Configuration.load(call.arguments["config"])
    Log.minimumLevel = .error
    switch verb {
    case "setup":
      guard configuration.broker.mode == .local else {
        throw Refused(
          .configuration,
          Phrase(
            en: "[broker] mode is “site”: a site's broker is not ours to set up",
            fr: "[broker] mode vaut « site » : le broker du site n’est pas à nous"))
      }
      try await BrokerSetUp(configuration, call).carryOut()
      return 0
    case "check" where call.arguments.has("store"):
      let owner = (try? ServiceUser.broker.find())?.uid
      try BrokerGuard(configuration.localBroker, owner: owner).check()
      return 0
    case "check": return try await check(configuration, call)
    default: throw Arguments.Refusal.unknownCommand("broker \(verb.visible)")
    }
  }

  private static func check(_ configuration: Configuration, _ call: Call) async throws -> Int32 {
    let check = BrokerCheck(now: { .now })
    let findings: [BrokerFinding]
    if configuration.broker.mode == .local {
      findings = await check.findings(on: configuration.localBroker)
    } else {
      findings = [await check.connection(try configuration.siteConnection())]
    }
    if call.wantsJSON {
      try call.printJSON(findings.map { Finding($0, call.terminal.language) })
    } else {
      for finding in findings { show(finding, on: call.terminal) }
    }
    return findings.compactMap(\.fault).first?.code.leg.exitStatus ?? 0
  }

  private static func show(_ finding: BrokerFinding, on terminal: Terminal) {
    let name = finding.subject.name[terminal.language]
    guard let fault = finding.fault else {
      terminal.say("\(terminal.paint("✓", .green)) \(name)")
      return
    }
    terminal.say("\(terminal.paint("✗", .red)) \(name)")
    let failure = Failure(fault)
    terminal.complain(failure.message, code: failure.code, hint: failure.hint)
  }

  private struct Finding: Encodable {
    let subject: BrokerFinding.Subject
    let ok: Bool
    let code: String?
    let message: String?
    let advice: String?

    init(_ finding: BrokerFinding, _ language: Language) {
      subject = finding.subject
      ok = finding.fault == nil
      code = finding.fault?.code.description
      message = finding.fault.map { Failure($0).message[language] }
      advice = finding.fault?.code.words.advice[language]
    }
  }
}

extension BrokerFinding.Subject {
  var name: Phrase {
    switch self {
    case .setUp: Phrase(en: "set up", fr: "configuré")
    case .accounts: Phrase(en: "account store whole", fr: "base de comptes intacte")
    case .address:
      Phrase(
        en: "address given to sensors is this machine's",
        fr: "l’adresse donnée aux capteurs est celle de cette machine")
    case .certificate: Phrase(en: "certificate valid", fr: "certificat valable")
    case .port: Phrase(en: "our broker listens", fr: "notre broker écoute")
    case .connection:
      Phrase(
        en: "connection, TLS, account and subscription",
        fr: "connexion, TLS, compte et abonnement")
    }
  }
}
