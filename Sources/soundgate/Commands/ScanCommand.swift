import Domain
import Texts
import Web

/// `soundgate scan`: the sensors heard over the air.
enum ScanCommand: Command {
  static let name = "scan"
  static let summary = Phrase(
    en: "list the sensors within Bluetooth range", fr: "lister les capteurs à portée Bluetooth")
  static let usage = Phrase(
    en: """
      usage: soundgate scan [--seconds N] [--json]

      Listens for N seconds (default 30). A sensor can be heard for 5 minutes after a short press of
      its button. Prints chip id, address, signal strength and age; exit status 3 when Bluetooth
      does not work.
      """,
    fr: """
      usage : soundgate scan [--seconds N] [--json]

      Écoute pendant N secondes (30 par défaut). Un capteur s’entend pendant 5 minutes après un appui
      court sur son bouton. Affiche identifiant, adresse, force du signal et âge ; code de retour 3
      si le Bluetooth ne fonctionne pas.
      """)
  static let options: Set<String> = ["seconds"]

  static func run(_ call: Call) async throws -> Int32 {
    try call.arguments.expect(atMost: 0)
    let seconds = try call.arguments.number("seconds", in: 1...300) ?? 30
    var last: API.Nearby?
    for try await event in try await Gateway(call).events("/nearby?seconds=\(seconds)") {
      guard event.name == "nearby" else { continue }
      let list: API.Nearby = try Gateway.read(event.data)
      if let fault = list.fault { throw Failure(fault) }
      last = list
      call.terminal.progress(progress(list))
    }
    call.terminal.endProgress()
    let found = last?.sensors ?? []
    if call.wantsJSON {
      call.terminal.say(String(decoding: try API.encode(found), as: UTF8.self))
    } else {
      show(found, on: call.terminal)
    }
    return 0
  }

  private static func progress(_ list: API.Nearby) -> Phrase {
    let left = list.secondsLeft ?? 0
    let seen = list.sensors.prefix(3).map { sensor in
      "\(sensor.chip) \(sensor.rssi.map { "\($0) dBm" } ?? "")"
    }.joined(separator: ", ")
    let count = Format.count(
      list.sensors.count, en: "sensor", "sensors", fr: "capteur", "capteurs")
    return Phrase(
      en: "scanning, \(left) s left — \(count.english)  \(seen)",
      fr: "recherche, encore \(left) s — \(count.french)  \(seen)")
  }

  static func show(_ sensors: [API.NearbySensor], on terminal: Terminal) {
    guard !sensors.isEmpty else {
      terminal.say(
        Phrase(
          en: "No sensor was heard. Press its button briefly (the LED blinks) and scan again.",
          fr: "Aucun capteur entendu. Appuyez brièvement sur son bouton (la LED clignote) puis "
            + "relancez la recherche."))
      return
    }
    var table = Table([
      Phrase(en: "CHIP ID", fr: "IDENTIFIANT"), Phrase(en: "ADDRESS", fr: "ADRESSE"),
      Phrase(en: "SIGNAL", fr: "SIGNAL"), Phrase(en: "AGE", fr: "ÂGE"),
      Phrase(en: "KNOWN AS", fr: "CONNU SOUS"),
    ])
    for sensor in sensors {
      table.add([
        sensor.chip.text, sensor.address.text, sensor.rssi.map { "\($0) dBm" } ?? "–",
        "\(sensor.age) s", sensor.knownAs ?? "–",
      ])
    }
    table.print(on: terminal)
  }
}

extension Arguments {
  /// An option that is a whole number within `range`.
  func number(_ option: String, in range: ClosedRange<Int>) throws(Refusal) -> Int? {
    guard let text = self[option] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badValue(
        option: "--\(option)", value: text.visible,
        expected: Phrase(
          en: "\(range.lowerBound) to \(range.upperBound)",
          fr: "\(range.lowerBound) à \(range.upperBound)"))
    }
    return number
  }
}

extension Failure {
  /// A fault as the daemon put it into words.
  init(_ fault: API.Fault) {
    let detail = fault.detail.map { " (\($0.visible))" } ?? ""
    let message = fault.message + detail
    self.init(
      code: fault.code, message: Phrase(en: message, fr: message),
      hint: Phrase(en: fault.advice, fr: fault.advice))
  }
}
