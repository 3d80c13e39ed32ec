import Domain
import Glibc
import Host
import Texts

/// `soundgate run`: the daemon.
enum RunCommand: Command {
  static let name = "run"
  static let summary = Phrase(
    en: "run the daemon (normally started by systemd)",
    fr: "exécuter le service (normalement lancé par systemd)")
  static let usage = Phrase(
    en: """
      usage: soundgate run [--config FILE]

      Serves until it is stopped (SIGTERM or Ctrl-C). Logs to the journal, else to standard error.
      """,
    fr: """
      usage : soundgate run [--config FICHIER]

      Fonctionne jusqu’à son arrêt (SIGTERM ou Ctrl-C). Écrit dans le journal, sinon sur l’erreur
      standard.
      """)
  static let options: Set<String> = ["config"]

  static func run(_ call: Call) async throws -> Int32 {
    try call.arguments.expect(atMost: 0)
    let configuration = try Configuration.load(call.arguments["config"])
    if let zone = configuration.site.timeZone {
      setenv("TZ", zone, 1)
      tzset()
    }
    Log.minimumLevel = Log.Level(name: configuration.logLevel) ?? .info
    let signals = StopSignals.arrivals()
    let serviceManager = ServiceManager()
    let daemon = try await Daemon(configuration, serviceManager: serviceManager)
    try await daemon.run {
      serviceManager.ready()
      for await _ in signals { break }
      serviceManager.stopping()
    }
    return 0
  }
}
