import Domain
import Simulator
import Texts

/// The demonstration that stays up for a person to play with.
struct DemoVisit: Sendable {
  let stage: DemoStage
  let terminal: Terminal

  /// Until it is interrupted; prints each alert that the receiver gets.
  func stay() async throws {
    for sensor in DemoStage.sensors { await stage.fleet.keepPressing(sensor) }
    let names = DemoStage.sensors.map(\.text).joined(separator: ", ")
    terminal.say()
    terminal.say(
      Phrase(
        en: """
          In another terminal:

            export SOUNDGATE_SOCKET=\(stage.socket)
            soundgate scan --seconds 5
            soundgate enrol
            soundgate watch

          Sensors: \(names) (their buttons are pressed again and again)
          Wi-Fi: \(DemoStage.ssid), key: \(DemoStage.key.reveal())
          Its configuration, for commands that take --config: \(stage.configurationFile)
          Ctrl-C ends it and removes everything.
          """,
        fr: """
          Dans un autre terminal :

            export SOUNDGATE_SOCKET=\(stage.socket)
            soundgate scan --seconds 5
            soundgate enrol
            soundgate watch

          Capteurs : \(names) (leurs boutons sont pressés sans cesse)
          Wi-Fi : \(DemoStage.ssid), clé : \(DemoStage.key.reveal())
          Sa configuration, pour les commandes qui prennent --config : \(stage.configurationFile)
          Ctrl-C arrête tout et efface tout.
          """))
    terminal.say()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [stage, terminal] in
        for await request in stage.receiver.arrivals {
          let body = String(decoding: request.body, as: UTF8.self).visible
          terminal.say(Phrase(en: "receiver: \(body)", fr: "récepteur : \(body)"))
        }
      }
      group.addTask { [stage] in
        if let status = await stage.daemonEnd() { throw DemoStory.Failed.daemonEnded(status) }
      }
      try await group.next()
      group.cancelAll()
    }
  }
}
