import Bluetooth
import Domain
import Simulator
import Synchronization
import TestSupport
import Testing
import Texts
import Web

/// One way for an enrolment to break, and what must be said of it.
struct Leg: Sendable, CustomTestStringConvertible {
  let name: String
  /// Any of these.
  let codes: Set<Code>
  let part: BrokenPart
  var plan = Stage.Plan()
  /// The key that the person gives.
  var key = Stage.key
  var misbehaviour: Misbehaviour?
  /// What goes wrong while the enrolment runs.
  var trouble: (@Sendable (Stage) async -> Void)?

  var testDescription: String { name }

  /// Causes it once: the guided command ends in its code, its advice and its exit status in English,
  /// and the enrolment is shown with the same in French.
  /// Answers the code.
  func check() async throws -> Code {
    let found = Mutex<Code?>(nil)
    try await Stage.perform(plan) { stage in
      if let misbehaviour { await stage.fleet.bluez.misbehave(misbehaviour) }
      let disturbance = Task { [trouble] in await trouble?(stage) }
      let run = try await stage.enrol(key: key)
      disturbance.cancel()
      let begun: [API.Enrolment] = try await stage.api.get("/enrolments")
      let id = try #require(begun.first).id
      let fault = try await self.fault(of: id, stage, .french)
      let code = fault.code
      found.withLock { $0 = code }
      #expect(run.status == code.leg.exitStatus, "\(run.words)")
      #expect(code.words.part == part)
      expect(run.errors, toTell: code, in: .english)
      #expect(run.errors.contains(part.name.english), "\(run.errors)")
      if code.leg == .mqtt {
        #expect(run.errors.contains("wait one minute, then press"), "\(run.errors)")
      }

      #expect(fault.message == code.words.title.french)
      #expect(fault.advice == code.words.advice.french)
      #expect(fault.leg == part.name.french)
      let shown = try await stage.run("enrolments", "show", id, language: .french)
      expect(shown.errors, toTell: code, in: .french)
    }
    return try #require(found.withLock { $0 })
  }

  private func fault(
    of id: String, _ stage: Stage, _ language: Language
  ) async throws -> API.Fault {
    let view: API.Enrolment = try await stage.api.get("/enrolments/\(id)", language: language)
    return try #require(view.failure ?? view.complaint, "nothing is complained of")
  }
}

/// The code, what happened and what to do, all in one language.
func expect(
  _ text: String, toTell code: Code, in language: Language,
  at place: SourceLocation = #_sourceLocation
) {
  let words = code.words
  for part in [code.description, words.title[language], words.advice[language]] {
    #expect(text.contains(part), "“\(part)” is missing in: \(text)", sourceLocation: place)
  }
}
