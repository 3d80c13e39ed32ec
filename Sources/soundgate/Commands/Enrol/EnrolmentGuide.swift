import Domain
import Texts
import Web

/// Follows one enrolment and validates each step when it is ready: with what was given in advance,
/// else by asking.
struct EnrolmentGuide: Sendable {
  let terminal: Terminal
  let wantsJSON: Bool
  let gateway: Gateway
  let answers: Answers

  /// Whether it was begun for this very call: one whose sensor is not chosen then ends with the call.
  var isNew = false

  /// Follows it as a command of its own: an interruption has a last word, and ends the program.
  func lead(_ begun: API.Enrolment) async -> Int32 {
    let standing = Standing(begun)
    let lastWord: Interruption.Action = {
      terminal.endProgress()
      guard standing.leave() else { return }
      Terminal.write("\n", to: 2)
      if !(await isGivenUp(standing.view)) { noteLeft(standing.view) }
    }
    return await Interruption.whenItComes(lastWord) { await follow(standing) }
  }

  /// Until the enrolment ends, or nothing more can be done without a person. Answers the exit status.
  func follow(_ begun: API.Enrolment) async -> Int32 { await follow(Standing(begun)) }

  private func follow(_ standing: Standing) async -> Int32 {
    do {
      return try await walk(standing)
    } catch {
      // Whatever stops us, what was begun is not lost, and may hold the sensor's link.
      terminal.endProgress()
      let failure = Failure(error, command: EnrolCommand.name)
      failure.show(on: terminal, asJSON: wantsJSON)
      if standing.leave(), !(await isGivenUp(standing.view)) { noteLeft(standing.view) }
      return failure.code.leg.exitStatus
    }
  }

  private func walk(_ standing: Standing) async throws -> Int32 {
    var reporter = EnrolmentReporter(
      terminal: terminal, isQuiet: wantsJSON, after: standing.view)
    var tried = Tried()
    for try await event in try await gateway.events("/enrolments/\(standing.view.id)/events") {
      guard event.name == "enrolment" else { continue }
      let heard: API.Enrolment = try Gateway.read(event.data)
      // What was on its way while a step was being validated is older than the answer to that.
      guard heard.updatedAt.timestamp >= standing.view.updatedAt.timestamp else { continue }
      standing.view = heard
      reporter.show(heard)
      if heard.ended { return try finish(heard) }
      do {
        guard let next = try await act(on: heard, &tried) else { continue }
        guard case .went(let later) = next else {
          reporter.leave(heard)
          return try await leave(heard, standing)
        }
        standing.view = later
        reporter.show(later)
        if later.ended { return try finish(later) }
      } catch let failure as Failure where failure.code == .outOfTurn {
        continue
      }
    }
    throw Fault(.daemonUnreachable, "it ended the connection")
  }

  /// What the person has tried already.
  struct Tried {
    var wifi = false
    var ssid: String?
  }

  private enum Next {
    case went(API.Enrolment)
    /// Nothing more without a person.
    case stuck
  }

  private func act(on view: API.Enrolment, _ tried: inout Tried) async throws -> Next? {
    switch Enrolment.Expectation(rawValue: view.expects) {
    case .chooseSensor:
      guard let input = try await chosenSensor(view) else { return .stuck }
      return .went(try await validate(view, 1, input))
    case .giveWiFi:
      if answers.isComplete, tried.wifi { return .stuck }
      guard let input = try await wifi(&tried) else { return .stuck }
      tried.wifi = true
      return .went(try await validate(view, view.step, input))
    case .acceptWiFi:
      guard
        await consents(
          Phrase(
            en: "The sensor has joined the Wi-Fi (\(view.ip ?? "")). Deliver the broker's "
              + "settings?",
            fr: "Le capteur a rejoint le Wi-Fi (\(view.ip ?? "")). Envoyer les réglages du broker "
              + "?"))
      else { return .stuck }
      return .went(try await validate(view, 3, API.StepInput()))
    case .acceptReading:
      guard
        await consents(
          Phrase(
            en: "The first reading has been received and stored. Accept it?",
            fr: "La première mesure est reçue et enregistrée. L’accepter ?"))
      else { return .stuck }
      return .went(try await validate(view, 4, API.StepInput()))
    case .name:
      guard let name = await name(view) else { return .stuck }
      return .went(try await validate(view, 5, API.StepInput(name: name)))
    case .resume:
      if answers.isComplete { return .stuck }
      guard
        await terminal.confirms(
          Phrase(en: "Resume? [y/N]", fr: "Reprendre ? [o/N]"))
      else { return .stuck }
      return .went(try await gateway.post("/enrolments/\(view.id)/resume"))
    case .wait, .nothing, nil: return nil
    }
  }

  private func validate(
    _ view: API.Enrolment, _ step: Int, _ input: API.StepInput
  ) async throws -> API.Enrolment {
    try await gateway.post("/enrolments/\(view.id)/steps/\(step)/validate", input)
  }

  private func consents(_ question: Phrase) async -> Bool {
    guard !answers.isComplete else { return true }
    let asked = Phrase(en: question.english + " [Y/n]", fr: question.french + " [O/n]")
    guard let answer = await terminal.ask(asked)?.lowercased() else { return false }
    return answer.isEmpty || ["y", "yes", "o", "oui"].contains(answer)
  }

  /// An unfinished enrolment is left as it is: it can be resumed.
  private func leave(_ view: API.Enrolment, _ standing: Standing) async throws -> Int32 {
    terminal.endProgress()
    let fault = view.complaint
    if wantsJSON {
      terminal.say(String(decoding: try API.encode(view), as: UTF8.self))
    }
    if standing.leave(), !(await isGivenUp(view)), !wantsJSON { noteLeft(view) }
    return fault?.code.leg.exitStatus ?? Code.cancelled.leg.exitStatus
  }

  /// One begun here that has no sensor yet holds nothing worth going on with.
  private func isGivenUp(_ view: API.Enrolment) async -> Bool {
    guard isNew, !view.ended, view.step == EnrolmentStep.chooseSensor.rawValue else { return false }
    return (try? await gateway.send("POST", "/enrolments/\(view.id)/cancel")) != nil
  }

  private func noteLeft(_ view: API.Enrolment) {
    let id = view.id.prefix(8)
    terminal.note(
      Phrase(
        en: "Left at step \(view.step) of 5. Go on: soundgate enrolments resume \(id) — give up: "
          + "soundgate enrolments cancel \(id)",
        fr: "Resté à l’étape \(view.step) sur 5. Continuer : soundgate enrolments resume \(id) — "
          + "abandonner : soundgate enrolments cancel \(id)"))
  }

  private func finish(_ view: API.Enrolment) throws -> Int32 {
    terminal.endProgress()
    if wantsJSON { terminal.say(String(decoding: try API.encode(view), as: UTF8.self)) }
    if view.completed { return 0 }
    return view.failure?.code.leg.exitStatus ?? Code.daemonUnreachable.leg.exitStatus
  }
}
