import Domain
import FoundationEssentials
import Texts

/// `soundgate config check`: reads the file and says everything that is wrong with it.
enum ConfigCommand: Command {
  static let name = "config"
  static let summary = Phrase(
    en: "check the configuration file", fr: "vérifier le fichier de configuration")
  static let usage = Phrase(
    en: """
      usage: soundgate config check [--config FILE] [--json]

      Reads FILE (default \(Configuration.defaultPath)) and prints each mistake with its line.
      """,
    fr: """
      usage : soundgate config check [--config FICHIER] [--json]

      Lit FICHIER (par défaut \(Configuration.defaultPath)) et indique chaque erreur avec sa ligne.
      """)
  static let options: Set<String> = ["config"]

  static func run(_ call: Call) throws -> Int32 {
    let verb = try call.arguments.word(0, called: "check")
    guard verb == "check" else { throw Arguments.Refusal.unknownCommand("config \(verb.visible)") }
    try call.arguments.expect(atMost: 1)
    let file = call.arguments["config"] ?? Configuration.defaultPath
    var problems: [Phrase] = []
    do {
      _ = try Configuration.load(call.arguments["config"])
    } catch let invalid as Configuration.Invalid {
      problems = invalid.lines
    }
    if call.wantsJSON {
      try call.printJSON(
        Report(
          file: file, ok: problems.isEmpty, problems: problems.map { $0[call.terminal.language] }))
    } else if problems.isEmpty {
      call.terminal.say(Phrase(en: "\(file): no mistakes", fr: "\(file) : aucune erreur"))
    } else {
      for problem in problems { call.terminal.complain(problem) }
    }
    return problems.isEmpty ? 0 : Code.configuration.leg.exitStatus
  }

  private struct Report: Encodable {
    let file: String
    let ok: Bool
    let problems: [String]
  }
}

extension Configuration {
  /// The configuration of `path`; without one, of the usual file, which need not exist.
  static func load(_ path: String?) throws -> Configuration {
    let file = path ?? defaultPath
    let text: String
    do {
      text = try String(contentsOfFile: file, encoding: .utf8)
    } catch {
      guard path == nil, !FileManager.default.fileExists(atPath: file) else {
        throw Refused(
          .configuration,
          Phrase(en: "\(file) cannot be read", fr: "\(file) est illisible"),
          hint: Phrase(
            en: "check the path and the file's rights",
            fr: "vérifiez le chemin et les droits du fichier"))
      }
      return Configuration()
    }
    return try Configuration(parsing: text, file: file)
  }
}
