import Domain
import Texts

/// The list of commands, and the way from words to an exit status.
package enum Commands {
  static let all: [any Command.Type] = [
    StatusCommand.self, ScanCommand.self, EnrolCommand.self, EnrolmentsCommand.self,
    NetworksCommand.self, SensorsCommand.self, ReadingsCommand.self, RulesCommand.self,
    AlertsCommand.self, WatchCommand.self, BackendCommand.self, BrokerCommand.self,
    ConfigCommand.self, ExplainCommand.self, DemoCommand.self, RunCommand.self,
  ]

  /// Runs what `words` (without the program's name) ask for.
  package static func run(_ words: [String], on terminal: Terminal) async -> Int32 {
    guard let name = words.first, !["--help", "-h", "help"].contains(name) else {
      guard let topic = words.dropFirst().first, !["--help", "-h", "help"].contains(topic) else {
        printOverview(on: terminal)
        return words.isEmpty ? 2 : 0
      }
      guard let command = find(topic) else { return refuse(topic, on: terminal) }
      terminal.say(command.usage)
      return 0
    }
    if name == "--version" || name == "version" {
      terminal.say("soundgate \(Version.text)")
      return 0
    }
    guard let command = find(name) else { return refuse(name, on: terminal) }
    return await run(command, Array(words.dropFirst()), on: terminal)
  }

  private static func refuse(_ name: String, on terminal: Terminal) -> Int32 {
    terminal.complain(
      Arguments.Refusal.unknownCommand(name.visible).phrase,
      hint: Phrase(en: "list them: soundgate help", fr: "pour la liste : soundgate help"))
    return 2
  }

  private static func run(
    _ command: any Command.Type, _ words: [String], on terminal: Terminal
  ) async -> Int32 {
    let wantsJSON = words.prefix { $0 != "--" }.contains("--json")
    do {
      let arguments = try Arguments(
        words, options: command.options.union(["socket"]),
        flags: command.flags.union(["json", "help"]))
      if arguments.has("help") {
        terminal.say(command.usage)
        return 0
      }
      return try await command.run(Call(arguments: arguments, terminal: terminal))
    } catch {
      let failure = Failure(error, command: command.name)
      failure.show(on: terminal, asJSON: wantsJSON)
      return failure.code.leg.exitStatus
    }
  }

  static func find(_ name: String) -> (any Command.Type)? {
    all.first { $0.name == name }
  }

  private static func printOverview(on terminal: Terminal) {
    terminal.say(
      Phrase(
        en: "soundgate — the gateway for SOUND-SENSOR noise sensors\n\n"
          + "usage: soundgate COMMAND [--help]\n",
        fr: "soundgate — la passerelle des capteurs de bruit SOUND-SENSOR\n\n"
          + "usage : soundgate COMMANDE [--help]\n"))
    let width = all.map { $0.name.count }.max() ?? 0
    for command in all {
      let gap = String(repeating: " ", count: width - command.name.count + 2)
      terminal.say("  \(command.name)\(gap)\(command.summary[terminal.language])")
    }
  }
}

/// What the program calls itself.
enum Version {
  static let text = "0.1.0"
}
