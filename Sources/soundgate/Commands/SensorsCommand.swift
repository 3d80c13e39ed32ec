import Domain
import Texts
import Web

/// `soundgate sensors`: the enrolled sensors.
enum SensorsCommand: Command {
  static let name = "sensors"
  static let summary = Phrase(
    en: "list, show, rename, remove and adopt sensors",
    fr: "lister, montrer, renommer, retirer et adopter les capteurs")
  static let usage = Phrase(
    en: """
      usage: soundgate sensors [list | show CHIP | rename CHIP NAME | remove CHIP [--purge] [--yes]
                                | unclaimed | adopt CHIP NAME | reset CHIP] [--json]

      list       last level, age, sparkline of the last hour and last alert
      remove     its history is hidden for 30 days, with --purge deleted at once
      unclaimed  sensors heard on the broker that nobody enrolled
      reset      an online sensor forgets its broker and opens its Bluetooth window

      examples:
        soundgate sensors
        soundgate sensors rename 332211CCBBAA "Stairwell, 2nd floor"
      """,
    fr: """
      usage : soundgate sensors [list | show PUCE | rename PUCE NOM | remove PUCE [--purge] [--yes]
                                 | unclaimed | adopt PUCE NOM | reset PUCE] [--json]

      list       dernier niveau, âge, courbe de la dernière heure et dernière alerte
      remove     l’historique est caché 30 jours, ou supprimé aussitôt avec --purge
      unclaimed  capteurs entendus sur le broker que personne n’a enrôlés
      reset      un capteur en ligne oublie son broker et ouvre sa fenêtre Bluetooth

      exemples :
        soundgate sensors
        soundgate sensors rename 332211CCBBAA "Escalier, 2e étage"
      """)
  static let flags: Set<String> = ["purge", "yes"]

  static func run(_ call: Call) async throws -> Int32 {
    let gateway = Gateway(call)
    let verb = call.arguments.words.first ?? "list"
    if verb != "remove" { try call.arguments.refuse(["purge", "yes"], with: "sensors \(verb)") }
    switch verb {
    case "list":
      try call.arguments.expect(atMost: 1)
      try await call.show(gateway.send("GET", "/sensors"), as: [API.Sensor].self, list)
    case "unclaimed":
      try call.arguments.expect(atMost: 1)
      try await call.show(
        gateway.send("GET", "/sensors/unclaimed"), as: [API.UnclaimedSensor].self, listUnclaimed)
    case "show":
      try call.arguments.expect(atMost: 2)
      try await call.show(
        gateway.send("GET", "/sensors/\(try call.chip())"), as: API.Sensor.self, show)
    case "rename":
      let name = try call.arguments.word(2, called: call.placeholder("NAME", "NOM"))
      try call.arguments.expect(atMost: 3)
      let body = try await gateway.send(
        "PATCH", "/sensors/\(try call.chip())", body: API.Name(name: name))
      try call.show(body, as: API.Sensor.self, show)
    case "adopt":
      let name = try call.arguments.word(2, called: call.placeholder("NAME", "NOM"))
      try call.arguments.expect(atMost: 3)
      let body = try await gateway.send(
        "POST", "/sensors/\(try call.chip())/adopt", body: API.Name(name: name))
      try call.show(body, as: API.Sensor.self, show)
    case "remove":
      try call.arguments.expect(atMost: 2)
      return try await remove(call, gateway)
    case "reset":
      try call.arguments.expect(atMost: 2)
      try await gateway.send("POST", "/sensors/\(try call.chip())/reset")
      try call.tell(
        Phrase(
          en: "The sensor forgets its broker. Wait one minute; if its LED does not blink, press "
            + "its button.",
          fr: "Le capteur oublie son broker. Attendez une minute ; si sa LED ne clignote pas, "
            + "appuyez sur son bouton."))
    default: throw Arguments.Refusal.unknownCommand("sensors \(verb.visible)")
    }
    return 0
  }

  private static func remove(_ call: Call, _ gateway: Gateway) async throws -> Int32 {
    let chip = try call.chip()
    let purge = call.arguments.has("purge")
    if !call.arguments.has("yes") {
      let sensor: API.Sensor = try await gateway.get("/sensors/\(chip)")
      let name = sensor.name.visible
      let question =
        purge
        ? Phrase(
          en: "Remove “\(name)” and delete its history for good? [y/N]",
          fr: "Retirer « \(name) » et supprimer définitivement son historique ? [o/N]")
        : Phrase(
          en: "Remove “\(name)”? Its history is kept hidden for 30 days. [y/N]",
          fr: "Retirer « \(name) » ? Son historique reste caché 30 jours. [o/N]")
      guard await call.terminal.confirms(question) else {
        call.terminal.note(
          Phrase(en: "Nothing was removed.", fr: "Rien n’a été retiré."))
        return Code.invalidInput.leg.exitStatus
      }
    }
    try await gateway.send("DELETE", "/sensors/\(chip)?purge=\(purge)")
    try call.tell(Phrase(en: "\(chip) was removed.", fr: "\(chip) a été retiré."))
    return 0
  }

  private static func list(_ sensors: [API.Sensor], on terminal: Terminal) {
    guard !sensors.isEmpty else {
      terminal.say(
        Phrase(
          en: "No sensors yet. Enrol one: soundgate enrol",
          fr: "Aucun capteur. Pour en enrôler un : soundgate enrol"))
      return
    }
    var table = Table(
      [
        Phrase(en: "NAME", fr: "NOM"), Phrase(en: "CHIP ID", fr: "IDENTIFIANT"),
        Phrase(en: "LEVEL", fr: "NIVEAU"), Phrase(en: "HEARD", fr: "ENTENDU"),
        Phrase(en: "LAST HOUR", fr: "DERNIÈRE HEURE"),
        Phrase(en: "LAST ALERT", fr: "DERNIÈRE ALERTE"),
      ], flexible: [0, 5])
    let now = Timestamp.now
    // Half as fine where a terminal of the usual 80 columns could not hold it.
    let isNarrow = terminal.isInteractive && terminal.width < 110
    for sensor in sensors {
      table.add([
        sensor.name, sensor.chip.text, sensor.level.map { "\($0) %" } ?? "–",
        Format.ago(sensor.lastSeen?.timestamp, now: now)[terminal.language],
        Sparkline.text(isNarrow ? Sparkline.halved(sensor.sparkline) : sensor.sparkline),
        sensor.lastAlert.map {
          let age = Format.ago($0.at.timestamp, now: now)[terminal.language]
          return "\($0.label) (\(age))"
        } ?? "–",
      ])
    }
    table.print(on: terminal)
  }

  private static func listUnclaimed(_ sensors: [API.UnclaimedSensor], on terminal: Terminal) {
    guard !sensors.isEmpty else {
      terminal.say(Phrase(en: "None.", fr: "Aucun."))
      return
    }
    var table = Table([
      Phrase(en: "CHIP ID", fr: "IDENTIFIANT"), Phrase(en: "LEVEL", fr: "NIVEAU"),
      Phrase(en: "LAST READING", fr: "DERNIÈRE MESURE"),
    ])
    for sensor in sensors {
      table.add([
        sensor.chip.text, sensor.level.map { "\($0) %" } ?? "–",
        Format.ago(sensor.lastSeen.timestamp, now: .now)[terminal.language],
      ])
    }
    table.print(on: terminal)
  }

  private static func show(_ sensor: API.Sensor, on terminal: Terminal) {
    let now = Timestamp.now
    let language = terminal.language
    let state =
      sensor.online
      ? Phrase(en: "online", fr: "en ligne") : Phrase(en: "offline", fr: "hors ligne")
    var card = Card()
    card.add(Phrase(en: "name", fr: "nom"), sensor.name)
    card.add(Phrase(en: "chip id", fr: "identifiant"), sensor.chip.text)
    card.add(Phrase(en: "state", fr: "état"), state[language])
    card.add(Phrase(en: "level", fr: "niveau"), sensor.level.map { "\($0) %" })
    card.add(Phrase(en: "mean level", fr: "niveau moyen"), sensor.dbfs.map { "\($0) dBFS" })
    card.add(
      Phrase(en: "last reading", fr: "dernière mesure"),
      Format.ago(sensor.lastSeen?.timestamp, now: now)[language])
    card.add(Phrase(en: "firmware", fr: "firmware"), sensor.firmware)
    card.add(Phrase(en: "address", fr: "adresse"), sensor.ip)
    card.add(Phrase(en: "broker account", fr: "compte du broker"), sensor.account)
    card.add(Phrase(en: "enrolled", fr: "enrôlé"), sensor.enrolledAt.timestamp.description)
    card.add(
      Phrase(en: "refused messages", fr: "messages refusés"),
      sensor.refusedPayloads > 0 ? "\(sensor.refusedPayloads)" : nil)
    card.add(Phrase(en: "last hour", fr: "dernière heure"), Sparkline.text(sensor.sparkline))
    card.add(Phrase(en: "last alert", fr: "dernière alerte"), sensor.lastAlert?.text)
    card.print(on: terminal)
  }
}
