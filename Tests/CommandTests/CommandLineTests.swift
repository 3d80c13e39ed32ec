import Domain
import Foundation
import TestSupport
import Testing
import soundgate

@Suite("The command line")
struct CommandLineTests {
  @Test("without a command lists the commands and exits with 2")
  func nothing() async throws {
    let run = try await Program.run([])
    #expect(run.status == 2)
    #expect(run.output.contains("usage: soundgate COMMAND"))
    #expect(run.output.contains("  explain "))
  }

  @Test("help lists the commands, in the language of the locale, and exits with 0")
  func help() async throws {
    for word in ["help", "--help", "-h"] {
      let run = try await Program.run([word], locale: "fr_CH.UTF-8")
      #expect(run.status == 0)
      #expect(run.output.contains("usage : soundgate COMMANDE"))
    }
  }

  @Test("every listed command has a page that shows how it is called, in both languages")
  func everyCommandHasAPage() async throws {
    let list = try await Program.run(["help"]).output
    let names = list.matches(of: #/(?m)^ {2}([a-z]+) +\S/#).map { String($0.output.1) }
    #expect(names.contains("config"))
    for name in names {
      let english = try await Program.run([name, "--help"])
      #expect(english.status == 0)
      #expect(english.output.contains(try Regex("^usage: (sudo )?soundgate \(name)")))
      let french = try await Program.run(["help", name], locale: "fr_FR.UTF-8")
      #expect(french.output.contains(try Regex("^usage : (sudo )?soundgate \(name)")))
    }
  }

  @Test("says its version")
  func version() async throws {
    let run = try await Program.run(["--version"])
    #expect(run.status == 0)
    #expect(run.output.wholeMatch(of: /soundgate \d+\.\d+\.\d+\n/) != nil)
  }

  @Test(
    "refuses a mistake with 2, on standard error, with a hint",
    arguments: [["enroll"], ["explain"], ["explain", "--al"], ["config"], ["config", "chek"]])
  func mistakes(words: [String]) async throws {
    let run = try await Program.run(words)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("error: ") == true)
    #expect(lines.last?.hasPrefix("hint: ") == true)
  }

  @Test("B13: shows a control character of an unknown command as an escape")
  func controlCharacters() async throws {
    let run = try await Program.run(["a\u{1B}[31m"])
    #expect(run.errors.contains("a\\u{1B}[31m"))
    #expect(!run.errors.contains("\u{1B}"))
  }

  @Test("with --json prints a mistake as JSON on standard output")
  func mistakeAsJSON() async throws {
    let run = try await Program.run(["explain", "--json"], locale: "fr_FR.UTF-8")
    #expect(run.status == 2)
    #expect(run.errors.isEmpty)
    let error = try run.json(PrintedError.self).error
    #expect(error.code == Code.invalidInput.description)
    #expect(error.message == "CODE manque")
  }
}

@Suite("The command config check")
struct ConfigCheckTests {
  private struct Report: Decodable {
    let file: String
    let ok: Bool
    let problems: [String]
  }

  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func file(_ text: String) throws -> String {
    let path = "\(directory.path)/soundgate.conf"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test("finds nothing wrong with a right file")
  func right() async throws {
    let path = try file("[log]\nlevel = debug\n")
    let run = try await Program.run(["config", "check", "--config", path])
    #expect(run.status == 0)
    #expect(run.output == "\(path): no mistakes\n")
  }

  @Test("says each mistake with its line and exits with 2")
  func wrong() async throws {
    let path = try file("[log]\nlevel = loud\n\n[bluetooth]\nadaptor = x\n")
    let run = try await Program.run(["config", "check", "--config", path])
    #expect(run.status == 2)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains("\(path):2: ") == true)
    #expect(lines.last?.contains("\(path):5: ") == true)

    let report = try await Program.run(["config", "check", "--config", path, "--json"]).json(
      Report.self)
    #expect(report.file == path)
    #expect(!report.ok)
    #expect(report.problems.count == 2)
  }

  @Test(
    "refuses a named file that cannot be read, and says why",
    arguments: [("/none", "No such file or directory"), ("", "Is a directory")])
  func missing(name: String, reason: String) async throws {
    let path = "\(directory.path)\(name)"
    let run = try await Program.run(["config", "check", "--config", path, "--json"])
    #expect(run.status == 2)
    let error = try run.json(PrintedError.self).error
    #expect(error.code == Code.configuration.description)
    #expect(error.message == "\(path) cannot be read: \(reason)")
  }

  @Test("says that the defaults apply when there is no file at the usual place")
  func noFile() async throws {
    let usual = Configuration.defaultPath
    let run = try await Program.run(["config", "check"], locale: "fr_FR.UTF-8")
    if FileManager.default.fileExists(atPath: usual) {
      #expect(!run.output.contains("aucun fichier"))
    } else {
      #expect(run.status == 0)
      #expect(run.output == "aucun fichier \(usual) ; les valeurs par défaut s’appliquent\n")
    }
  }
}
