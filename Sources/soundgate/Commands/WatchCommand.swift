import Domain
import Texts
import Web

/// `soundgate watch`: readings, alerts and changes of state as they happen.
enum WatchCommand: Command {
  static let name = "watch"
  static let summary = Phrase(
    en: "follow readings and alerts live", fr: "suivre mesures et alertes en direct")
  static let usage = Phrase(
    en: """
      usage: soundgate watch [CHIP] [--json]

      One line a reading, alert or change of state, until interrupted. With --json one JSON object a
      line.
      """,
    fr: """
      usage : soundgate watch [PUCE] [--json]

      Une ligne par mesure, alerte ou changement d’état, jusqu’à interruption. Avec --json, un objet
      JSON par ligne.
      """)

  static func run(_ call: Call) async throws -> Int32 {
    try call.arguments.expect(atMost: 1)
    let gateway = Gateway(call)
    let filter = call.arguments.words.isEmpty ? "" : "?sensor=\(try call.chip(at: 0))"
    let sensors: [API.Sensor] = try await gateway.get("/sensors")
    let names = Dictionary(uniqueKeysWithValues: sensors.map { ($0.chip, $0.name) })
    for try await event in try await gateway.events("/live\(filter)") where event.name != "end" {
      if call.wantsJSON {
        let data = String(decoding: event.data, as: UTF8.self)
        call.terminal.say("{\"data\":\(data),\"event\":\"\(event.name)\"}")
      } else {
        try show(event, names, on: call.terminal)
      }
    }
    throw Fault(.daemonUnreachable, "the stream ended")
  }

  private static func show(
    _ event: ServerEvent, _ names: [SensorID: String], on terminal: Terminal
  ) throws {
    switch event.name {
    case "reading":
      let reading: API.Reading = try Gateway.read(event.data)
      let name = (names[reading.chip] ?? reading.chip.text).visible
      let dbfs = reading.dbfsAvg.map { "  \($0) dBFS" } ?? ""
      terminal.say(
        "\(reading.at.timestamp)  \(name)  \(Sparkline.text([Double(reading.soundPct)])) "
          + "\(reading.soundPct) %\(dbfs)")
    case "alert":
      let alert: API.Alert = try Gateway.read(event.data)
      terminal.say(terminal.paint("\(alert.at.timestamp)  ! \(alert.text.visible)", .red))
    case "component":
      let part: API.Component = try Gateway.read(event.data)
      let why = part.fault.map { " — \($0.message) [\($0.code)]" } ?? ""
      let name = Format.label(part.component.name[terminal.language])[terminal.language]
      let line =
        "\(part.since.timestamp)  \(name) \(part.level.name[terminal.language])\(why)"
      terminal.say(terminal.paint(line, part.level.colour))
    default: break
    }
  }
}
