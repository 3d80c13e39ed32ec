import Domain
import Glibc
import Host
import Texts

/// `soundgate demo`: the whole job on simulated sensors, touching nothing outside a temporary directory.
enum DemoCommand: Command {
  static let name = "demo"
  static let summary = Phrase(
    en: "show the whole job with simulated sensors",
    fr: "montrer tout le travail avec des capteurs simulés")
  static let usage = Phrase(
    en: """
      usage: soundgate demo [--once [--wrong-password | --out-of-range | --drop-link]
                             [--sabotage broker|receiver|bluetooth|database]]

      Starts, in a temporary directory, a private D-Bus with a stand-in bluetoothd, simulated sensors, a
      private TLS Mosquitto, the real daemon, and a receiver of alerts. With --once it plays the story
      through (a bad one ends in its error and then in success) and exits 0 only if every part
      happened; --sabotage breaks one part, and the story must then fail. Without --once it stays up:
      use the other commands in another terminal.
      """,
    fr: """
      usage : soundgate demo [--once [--wrong-password | --out-of-range | --drop-link]
                              [--sabotage broker|receiver|bluetooth|database]]

      Démarre, dans un répertoire temporaire, un D-Bus privé avec un bluetoothd de remplacement, des
      capteurs simulés, un Mosquitto TLS privé, le vrai service et un récepteur d’alertes. Avec --once,
      l’histoire se joue jusqu’au bout (une mauvaise finit par son erreur puis par le succès) et le
      code de retour n’est 0 que si tout a eu lieu ; --sabotage casse une partie, et l’histoire doit
      échouer. Sans --once, tout reste en place : utilisez les autres commandes dans un autre terminal.
      """)
  static let options: Set<String> = ["sabotage"]
  static let flags: Set<String> = ["once", "wrong-password", "out-of-range", "drop-link"]

  static func run(_ call: Call) async throws -> Int32 {
    try call.arguments.expect(atMost: 0)
    let sabotage: DemoStage.Part? = try call.arguments.choice("sabotage")
    let troubles = DemoStory.Trouble.allCases.filter { call.arguments.has($0.rawValue) }
    try refuseContradictions(call, troubles.map(\.rawValue), sabotage)
    Log.minimumLevel = .error
    // It has private daemons to stop, whether or not somebody reads on.
    var terminal = call.terminal
    terminal.endsWithReader = false
    // A closed terminal too: there is more to end than this process.
    let signals = StopSignals.arrivals(of: [SIGTERM, SIGINT, SIGHUP])
    let stage = try await DemoStage(sabotage: sabotage, terminal: terminal)
    let work = Task { [terminal] () async -> Result<Int32, any Error> in
      do {
        try await stage.start()
        if call.arguments.has("once") {
          try await DemoStory(stage: stage, terminal: terminal, trouble: troubles.first).play()
        } else {
          try await DemoVisit(stage: stage, terminal: terminal).stay()
        }
        return .success(0)
      } catch {
        return .failure(error)
      }
    }
    let interruption = Task {
      for await _ in signals {
        work.cancel()
        return
      }
    }
    let outcome = await work.value
    interruption.cancel()
    await stage.stop()
    // A visit ends by being interrupted; a story has then not been told.
    if work.isCancelled { return call.arguments.has("once") ? Code.cancelled.leg.exitStatus : 0 }
    return try outcome.get()
  }

  /// A story is only told with `--once`, and one at a time.
  private static func refuseContradictions(
    _ call: Call, _ troubles: [String], _ sabotage: DemoStage.Part?
  ) throws {
    let story = troubles.first ?? sabotage.map { _ in "sabotage" }
    if let story, !call.arguments.has("once") {
      throw Refused(
        .invalidInput,
        Phrase(
          en: "--\(story) belongs to a story: give --once too",
          fr: "--\(story) fait partie d’une histoire : ajoutez --once"))
    }
    if troubles.count > 1 {
      let names = troubles.map { "--\($0)" }
      throw Refused(
        .invalidInput,
        Phrase(
          en: "one bad story at a time: \(names.joined(separator: " or "))",
          fr: "une seule mauvaise histoire à la fois : \(names.joined(separator: " ou "))"))
    }
  }
}
