import Domain
import Glibc
import Host
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
    var isThere = true
    do {
      let configuration = try Configuration.read(call.arguments["config"])
      isThere = configuration != nil
      problems = configuration.map(Self.filesMissing) ?? []
    } catch let invalid as Configuration.Invalid {
      problems = invalid.lines
    }
    if call.wantsJSON {
      try call.printJSON(
        Report(
          file: file, found: isThere, ok: problems.isEmpty,
          problems: problems.map { $0[call.terminal.language] }))
    } else if !isThere {
      call.terminal.say(
        Phrase(
          en: "no file at \(file); the defaults apply",
          fr: "aucun fichier \(file) ; les valeurs par défaut s’appliquent"))
    } else if problems.isEmpty {
      call.terminal.say(Phrase(en: "\(file): no mistakes", fr: "\(file) : aucune erreur"))
    } else {
      for problem in problems { call.terminal.complain(problem) }
    }
    return problems.isEmpty ? 0 : Code.configuration.leg.exitStatus
  }

  /// The files that the configuration names and that cannot be read. One that this user may not read may
  /// be the daemon's own.
  private static func filesMissing(for configuration: Configuration) -> [Phrase] {
    let files = [
      ("password-file", configuration.broker.passwordFile), ("ca", configuration.broker.authority),
    ]
    return files.compactMap { key, path in
      guard let path else { return nil }
      do throws(FileError) {
        _ = try Files.read(path, atMost: 1 << 20)
        return nil
      } catch {
        guard error.error != EACCES else { return nil }
        let reason = systemMessage(error.error)
        return Phrase(
          en: "[broker] \(key) = \(path.visible) cannot be read: \(reason)",
          fr: "[broker] \(key) = \(path.visible) est illisible : \(reason)")
      }
    }
  }

  private struct Report: Encodable {
    let file: String
    /// False when there is none, which is right for the usual file.
    let found: Bool
    let ok: Bool
    let problems: [String]
  }
}
