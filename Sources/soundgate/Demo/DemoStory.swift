import Crypto
import Domain
import FoundationEssentials
import Simulator
import Texts
import Web

/// The main job from an unknown sensor to a delivered alert, told line by line. Every line stands for
/// something that has been checked; the first that does not happen ends the story.
struct DemoStory: Sendable {
  /// What goes wrong first.
  enum Trouble: String, CaseIterable {
    case wrongPassword = "wrong-password"
    case outOfRange = "out-of-range"
    case dropLink = "drop-link"
  }

  /// Why the story did not come to its end.
  enum Failed: Error {
    case daemonEnded(Int32)
    /// A part did something else than the story says.
    case unexpected(Phrase, Code)
  }

  let stage: DemoStage
  let terminal: Terminal
  let trouble: Trouble?

  private var sensor: SensorID { DemoStage.sensors[0] }

  func play() async throws {
    try await Deadline.within(
      .seconds(58), Fault(.internalFault, "the story took longer than 58 s")
    ) {
      try await tell()
    }
  }

  private func tell() async throws {
    headline(Phrase(en: "An unknown sensor", fr: "Un capteur inconnu"))
    // Again and again, as a person would: it is deaf to its button for two seconds after power-up.
    await stage.fleet.keepPressing(sensor)
    try await find()
    headline(Phrase(en: "Its enrolment, in five steps", fr: "Son enrôlement, en cinq étapes"))
    try await enrol()
    headline(Phrase(en: "Its readings", fr: "Ses mesures"))
    try await showLevel()
    headline(Phrase(en: "A rule, and its alert", fr: "Une règle, et son alerte"))
    try await alert()
    terminal.say()
    terminal.say(
      terminal.paint(
        Phrase(en: "Every part happened.", fr: "Tout a eu lieu.")[terminal.language], .green))
  }

  private func headline(_ phrase: Phrase) {
    terminal.say()
    terminal.say(terminal.paint(phrase[terminal.language], .bold))
  }

  private func find() async throws {
    let seen = try await Deadline.within(.seconds(10), Fault(.notSeen)) { [stage, sensor] in
      for try await event in try await stage.gateway.events("/nearby?seconds=10")
      where event.name == "nearby" {
        let list: API.Nearby = try Gateway.read(event.data)
        if let fault = list.fault { throw Failure(fault) }
        if let found = list.sensors.first(where: { $0.chip == sensor }) { return found }
      }
      throw Fault(.notSeen)
    }
    let signal = seen.rssi.map { "\($0) dBm" } ?? "–"
    terminal.say("✓ SOUND-SENSOR-\(seen.chip)  \(seen.address)  \(signal)")
  }

  private func enrol() async throws {
    let begun: API.Enrolment = try await stage.gateway.post("/enrolments")
    guard let trouble else {
      try await finish(begun)
      return
    }
    let left = try await fail(begun, by: trouble)
    terminal.say(
      Phrase(
        en: "— that was the trouble; now it goes well —",
        fr: "— voilà l’ennui ; à présent tout va bien —"))
    switch trouble {
    case .wrongPassword: try await finish(left)
    case .outOfRange:
      await stage.fleet.setNetworks([DemoStage.network()])
      try await finish(left)
    case .dropLink:
      try await finish(try await stage.gateway.post("/enrolments"))
    }
  }

  /// Lets it go wrong, and checks that it goes wrong in the right way.
  private func fail(_ begun: API.Enrolment, by trouble: Trouble) async throws -> API.Enrolment {
    let key = trouble == .wrongPassword ? DemoStage.wrongKey : DemoStage.key
    if trouble == .outOfRange {
      await stage.fleet.setNetworks([DemoStage.network(coverage: .none)])
    }
    let saboteur = Task { if trouble == .dropLink { try await dropLinkWhileJoining(begun.id) } }
    let status = await guide(key).follow(begun)
    saboteur.cancel()
    let view: API.Enrolment = try await stage.gateway.get("/enrolments/\(begun.id)")
    let code = (view.failure ?? view.complaint)?.code
    let expected: Set<Code> =
      switch trouble {
      case .wrongPassword: [.wifi(reason: 15), .wifi(reason: 204), .wifi(reason: 202)]
      case .outOfRange: [.wifi(reason: 201)]
      case .dropLink: [.linkLost]
      }
    guard let code, expected.contains(code), status == code.leg.exitStatus else {
      throw Failed.unexpected(
        Phrase(
          en: "the trouble ended in \(code?.description ?? "nothing")",
          fr: "l’ennui a fini par \(code?.description ?? "rien")"), code ?? .internalFault)
    }
    return view
  }

  private func dropLinkWhileJoining(_ id: String) async throws {
    for try await event in try await stage.gateway.events("/enrolments/\(id)/events")
    where event.name == "enrolment" {
      let view: API.Enrolment = try Gateway.read(event.data)
      if view.state == "joining-wifi" || view.state == "writing-wifi" {
        return await stage.fleet.dropLink(to: sensor)
      }
    }
  }

  private func finish(_ enrolment: API.Enrolment) async throws {
    let status = await guide(DemoStage.key).follow(enrolment)
    guard status == 0 else {
      let view: API.Enrolment = try await stage.gateway.get("/enrolments/\(enrolment.id)")
      let code = (view.failure ?? view.complaint)?.code ?? .internalFault
      throw Failed.unexpected(
        Phrase(en: "the enrolment did not succeed", fr: "l’enrôlement n’a pas réussi"), code)
    }
  }

  private func guide(_ key: Secret) -> EnrolmentGuide {
    let name = Phrase(en: "Stairwell", fr: "Escalier")[terminal.language]
    return EnrolmentGuide(
      terminal: terminal, wantsJSON: false, gateway: stage.gateway,
      answers: Answers(sensor: sensor, ssid: DemoStage.ssid, key: key, name: name))
  }

  private func showLevel() async throws {
    let sensors: [API.Sensor] = try await stage.gateway.get("/sensors")
    guard sensors.count == 1, let shown = sensors.first, shown.chip == sensor,
      let level = shown.level
    else {
      throw Failed.unexpected(
        Phrase(en: "the sensor has no level", fr: "le capteur n’a pas de niveau"), .noFirstReading)
    }
    terminal.say("✓ \(shown.name)  \(level) %  \(Sparkline.text([Double(level)]))")
    let page: API.Readings = try await stage.gateway.get("/sensors/\(sensor)/readings?limit=1")
    guard !page.readings.isEmpty else {
      throw Failed.unexpected(
        Phrase(en: "no reading is stored", fr: "aucune mesure n’est enregistrée"), .storeWrite)
    }
    terminal.say(Phrase(en: "✓ stored in SQLite", fr: "✓ enregistrée dans SQLite"))
  }
}
