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

  /// Until the enrolment ends, or nothing more can be done without a person. Answers the exit status.
  func follow(_ begun: API.Enrolment) async throws -> Int32 {
    var view = begun
    var reporter = EnrolmentReporter(terminal: terminal, isQuiet: wantsJSON, after: view)
    var triedWiFi = false
    let events = try await gateway.events("/enrolments/\(view.id)/events")
    for try await event in events {
      guard event.name == "enrolment" else { continue }
      let heard: API.Enrolment = try Gateway.read(event.data)
      // What was on its way while a step was being validated is older than the answer to that.
      guard heard.updatedAt.timestamp >= view.updatedAt.timestamp else { continue }
      view = heard
      reporter.show(view)
      if view.ended { break }
      do {
        guard let next = try await act(on: view, &triedWiFi) else { continue }
        guard case .went(let later) = next else {
          reporter.leave(view)
          return try await leave(view)
        }
        view = later
        reporter.show(view)
        if view.ended { break }
      } catch let failure as Failure where failure.code == .outOfTurn {
        continue
      } catch {
        // Whatever stops us, what was begun is not lost, and may hold the sensor's link.
        terminal.endProgress()
        noteLeft(view)
        throw error
      }
    }
    return try await finish(view)
  }

  private enum Next {
    case went(API.Enrolment)
    /// Nothing more without a person.
    case stuck
  }

  private func act(on view: API.Enrolment, _ triedWiFi: inout Bool) async throws -> Next? {
    switch Enrolment.Expectation(rawValue: view.expects) {
    case .chooseSensor:
      guard let input = try await chosenSensor(view) else { return .stuck }
      return .went(try await validate(view, 1, input))
    case .giveWiFi:
      if answers.isComplete, triedWiFi { return .stuck }
      guard let input = try await wifi(isAnotherTry: triedWiFi) else {
        return .stuck
      }
      triedWiFi = true
      return .went(try await validate(view, view.step, input))
    case .acceptWiFi:
      guard
        consents(
          Phrase(
            en: "The sensor has joined the Wi-Fi (\(view.ip ?? "")). Deliver the broker's "
              + "settings?",
            fr: "Le capteur a rejoint le Wi-Fi (\(view.ip ?? "")). Envoyer les réglages du broker "
              + "?"))
      else { return .stuck }
      return .went(try await validate(view, 3, API.StepInput()))
    case .acceptReading:
      guard
        consents(
          Phrase(
            en: "The first reading has been received and stored. Accept it?",
            fr: "La première mesure est reçue et enregistrée. L’accepter ?"))
      else { return .stuck }
      return .went(try await validate(view, 4, API.StepInput()))
    case .name:
      guard let name = try name(view) else { return .stuck }
      return .went(try await validate(view, 5, API.StepInput(name: name)))
    case .resume:
      if answers.isComplete { return .stuck }
      guard
        terminal.confirms(
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

  private func consents(_ question: Phrase) -> Bool {
    guard !answers.isComplete else { return true }
    let asked = Phrase(en: question.english + " [Y/n]", fr: question.french + " [O/n]")
    guard let answer = terminal.ask(asked)?.lowercased() else { return false }
    return answer.isEmpty || ["y", "yes", "o", "oui"].contains(answer)
  }

  /// An unfinished enrolment is left as it is: it can be resumed.
  private func leave(_ view: API.Enrolment) async throws -> Int32 {
    terminal.endProgress()
    let fault = view.complaint
    if wantsJSON {
      terminal.say(String(decoding: try API.encode(view), as: UTF8.self))
    } else {
      noteLeft(view)
    }
    return fault?.code.leg.exitStatus ?? Code.cancelled.leg.exitStatus
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

  private func finish(_ view: API.Enrolment) async throws -> Int32 {
    terminal.endProgress()
    if wantsJSON { terminal.say(String(decoding: try API.encode(view), as: UTF8.self)) }
    if view.completed { return 0 }
    return view.failure?.code.leg.exitStatus ?? Code.daemonUnreachable.leg.exitStatus
  }
}
