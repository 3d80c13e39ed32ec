import Domain
import Texts
import Web

/// `soundgate enrolments`: those under way and those that ended.
enum EnrolmentsCommand: Command {
  static let name = "enrolments"
  static let summary = Phrase(
    en: "list, show, resume and cancel enrolments",
    fr: "lister, montrer, reprendre et annuler les enrôlements")
  static let usage = Phrase(
    en: """
      usage: soundgate enrolments [list | show ID | resume ID [options of enrol] | cancel ID] [--json]

      ID may be cut short as long as it is clear. `show` prints the timeline; `resume` goes on where
      it stood, guided as in `soundgate enrol`.
      """,
    fr: """
      usage : soundgate enrolments [list | show ID | resume ID [options d’enrol] | cancel ID] [--json]

      ID peut être abrégé tant qu’il reste clair. `show` affiche la chronologie ; `resume` reprend où
      l’on en était, guidé comme `soundgate enrol`.
      """)
  static let options = EnrolCommand.options
  static let flags = EnrolCommand.flags

  static func run(_ call: Call) async throws -> Int32 {
    let gateway = Gateway(call)
    let verb = call.arguments.words.first ?? "list"
    switch verb {
    case "list":
      try call.arguments.expect(atMost: 1)
      try await call.show(gateway.send("GET", "/enrolments"), as: [API.Enrolment].self, list)
    case "show":
      let id = try await enrolment(call, gateway)
      try await call.show(gateway.send("GET", "/enrolments/\(id)"), as: API.Enrolment.self, show)
    case "cancel":
      let id = try await enrolment(call, gateway)
      let body = try await gateway.send("POST", "/enrolments/\(id)/cancel")
      try call.show(body, as: API.Enrolment.self) { _, terminal in
        terminal.say(Phrase(en: "The enrolment was cancelled.", fr: "L’enrôlement a été annulé."))
      }
    case "resume": return try await resume(call, gateway)
    default: throw Arguments.Refusal.unknownCommand("enrolments \(verb.visible)")
    }
    return 0
  }

  private static func resume(_ call: Call, _ gateway: Gateway) async throws -> Int32 {
    let id = try await enrolment(call, gateway)
    let answers = try Answers(call, isResuming: true)
    var view: API.Enrolment = try await gateway.get("/enrolments/\(id)")
    // The daemon says so of one that has ended, too.
    if view.ended || view.expects == Enrolment.Expectation.resume.rawValue {
      view = try await gateway.post("/enrolments/\(id)/resume")
    }
    return await EnrolmentGuide(
      terminal: call.terminal, wantsJSON: call.wantsJSON, gateway: gateway, answers: answers
    ).lead(view)
  }

  private static func enrolment(_ call: Call, _ gateway: Gateway) async throws -> String {
    let word = try call.id(called: "ID")
    let enrolments: [API.Enrolment] = try await gateway.get("/enrolments")
    return try call.only(word, among: enrolments.map(\.id))
  }

  private static func list(_ enrolments: [API.Enrolment], on terminal: Terminal) {
    guard !enrolments.isEmpty else {
      terminal.say(Phrase(en: "No enrolments yet.", fr: "Aucun enrôlement."))
      return
    }
    var table = Table([
      Phrase(en: "ID", fr: "ID"), Phrase(en: "SENSOR", fr: "CAPTEUR"),
      Phrase(en: "STEP", fr: "ÉTAPE"), Phrase(en: "STATE", fr: "ÉTAT"),
      Phrase(en: "BEGUN", fr: "COMMENCÉ"), Phrase(en: "BY", fr: "PAR"),
      Phrase(en: "PROBLEM", fr: "PROBLÈME"),
    ])
    for view in enrolments {
      table.add([
        String(view.id.prefix(8)), view.sensor?.text ?? "–", "\(view.step)/5",
        EnrolmentWords.state(view.state, isCancelled: view.isCancelled)[terminal.language],
        Format.ago(view.createdAt.timestamp, now: .now)[terminal.language], view.operator,
        view.trouble?.code.description ?? "–",
      ])
    }
    table.print(on: terminal)
  }

  private static func show(_ view: API.Enrolment, on terminal: Terminal) {
    terminal.say(terminal.paint(view.id, .bold))
    list([view], on: terminal)
    if let fault = view.trouble {
      let failure = Failure(fault)
      terminal.complain(failure.message, code: failure.code, hint: failure.hint)
    }
    terminal.say()
    var table = Table([
      Phrase(en: "WHEN", fr: "QUAND"), Phrase(en: "STEP", fr: "ÉTAPE"),
      Phrase(en: "WHO", fr: "QUI"),
      Phrase(en: "FROM", fr: "DE"), Phrase(en: "TO", fr: "À"), Phrase(en: "WHY", fr: "POURQUOI"),
    ])
    for line in view.timeline ?? [] {
      let isCancelled = line.to == view.state && view.isCancelled
      table.add([
        line.at.timestamp.description, "\(line.step)",
        EnrolmentWords.actor(line.operator)[terminal.language],
        line.from.map { EnrolmentWords.state($0)[terminal.language] } ?? "–",
        EnrolmentWords.state(line.to, isCancelled: isCancelled)[terminal.language],
        EnrolmentWords.cause(line.why)[terminal.language],
      ])
    }
    table.print(on: terminal)
  }
}

extension API.Enrolment {
  /// A person ended it.
  var isCancelled: Bool { failure?.code == .cancelled }

  /// What is wrong with it; being ended by a person is nothing wrong.
  var trouble: API.Fault? { isCancelled ? nil : failure ?? complaint }
}
