import Domain
import Texts
import Web

/// Tells the person how an enrolment goes: each step once, each complaint once, a countdown between.
struct EnrolmentReporter {
  let terminal: Terminal
  let isQuiet: Bool
  private var toldSteps = 0
  private var toldFault: API.Fault?
  private var toldState = ""
  /// Whether this reporter itself has told of trouble.
  private(set) var hasComplained = false

  /// - Parameter view: where the enrolment stood; what came before is not told again.
  init(terminal: Terminal, isQuiet: Bool, after view: API.Enrolment) {
    self.terminal = terminal
    self.isQuiet = isQuiet
    toldSteps = view.step - 1
    toldFault = view.failure ?? view.complaint
    toldState = view.state
  }

  mutating func show(_ view: API.Enrolment) {
    guard !isQuiet else { return }
    let validated = view.completed ? 5 : view.step - 1
    while toldSteps < validated {
      toldSteps += 1
      terminal.endProgress()
      let done = Self.done(toldSteps, view)
      terminal.say("\(terminal.paint("✓", .green)) \(toldSteps)/5 \(done[terminal.language])")
    }
    let fault = view.failure ?? view.complaint
    if let fault, fault != toldFault { complain(of: fault, view) }
    toldFault = fault
    if view.state != toldState, let word = Self.waiting(view.state) {
      terminal.endProgress()
      terminal.note(word)
    }
    toldState = view.state
    if let left = view.secondsLeft, view.expects == Enrolment.Expectation.wait.rawValue {
      let window = view.windowSecondsLeft.map {
        Phrase(
          en: " · Bluetooth window \($0) s", fr: " · fenêtre Bluetooth \($0) s")
      }
      terminal.progress(
        Phrase(
          en: "… \(left) s left\(window?.english ?? "")",
          fr: "… encore \(left) s\(window?.french ?? "")"))
    }
  }

  /// The person is left alone with the enrolment: trouble that was there before is told now.
  mutating func leave(_ view: API.Enrolment) {
    guard !isQuiet, !hasComplained, let fault = view.complaint else { return }
    complain(of: fault, view)
  }

  private mutating func complain(of fault: API.Fault, _ view: API.Enrolment) {
    hasComplained = true
    terminal.endProgress()
    let leg = fault.leg.map { "\(Format.label($0)[terminal.language]) " } ?? ""
    let failure = Failure(fault)
    terminal.complain(
      Phrase(en: leg + failure.message.english, fr: leg + failure.message.french),
      code: fault.code, hint: failure.hint)
    for way in view.waysBack { terminal.note("  – \(way.text)") }
    if view.mayHoldAccount {
      // Its Bluetooth is gone until it has restarted (`docs/sensor-profile.md`, "Broker values").
      terminal.note(
        Phrase(
          en: "Before another try: wait one minute, then press the sensor's button again.",
          fr:
            "Avant un nouvel essai : attendez une minute, puis appuyez de nouveau sur le bouton du "
            + "capteur."))
    }
  }

  private static func done(_ step: Int, _ view: API.Enrolment) -> Phrase {
    let sensor = view.sensor?.text ?? ""
    return switch step {
    case 1: Phrase(en: "sensor chosen: \(sensor)", fr: "capteur choisi : \(sensor)")
    case 2: Phrase(en: "Wi-Fi credentials given", fr: "identifiants Wi-Fi donnés")
    case 3: Phrase(en: "Wi-Fi verified: \(view.ip ?? "")", fr: "Wi-Fi vérifié : \(view.ip ?? "")")
    case 4:
      Phrase(
        en: "broker settings delivered, first reading received",
        fr: "réglages du broker envoyés, première mesure reçue")
    default: Phrase(en: "named and registered", fr: "nommé et enregistré")
    }
  }

  private static func waiting(_ state: String) -> Phrase? {
    switch state {
    case "connecting": Phrase(en: "connecting to the sensor…", fr: "connexion au capteur…")
    case "joining-wifi":
      Phrase(
        en: "the sensor joins the Wi-Fi…",
        fr: "le capteur rejoint le "
          + "Wi-Fi…")
    case "opening-account":
      Phrase(en: "making its broker account…", fr: "création de son compte sur le broker…")
    case "writing-mqtt":
      Phrase(en: "delivering the broker's settings…", fr: "envoi des réglages du broker…")
    case "awaiting-reading":
      Phrase(en: "waiting for its first reading…", fr: "attente de sa première mesure…")
    default: nil
    }
  }
}
