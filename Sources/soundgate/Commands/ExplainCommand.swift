import Domain
import FoundationEssentials
import Texts

/// `soundgate explain CODE`: what a code means and what to do, without the daemon.
enum ExplainCommand: Command {
  static let name = "explain"
  static let summary = Phrase(
    en: "what a code means and what to do", fr: "ce que dit un code et ce qu’il faut faire")
  static let usage = Phrase(
    en: """
      usage: soundgate explain CODE… | --all [--json]

      Codes are printed as SG-WIFI-015; a Wi-Fi reason may be given as r=15.

      examples:
        soundgate explain SG-WIFI-201
        soundgate explain r=15
        soundgate explain --all
      """,
    fr: """
      usage : soundgate explain CODE… | --all [--json]

      Les codes s’écrivent SG-WIFI-015 ; une raison Wi-Fi peut s’écrire r=15.

      exemples :
        soundgate explain SG-WIFI-201
        soundgate explain r=15
        soundgate explain --all
      """)
  static let flags: Set<String> = ["all"]

  static func run(_ call: Call) throws -> Int32 {
    if call.arguments.has("all") { try call.arguments.expect(atMost: 0) }
    let codes =
      call.arguments.has("all")
      ? Code.described : try call.arguments.words.map { word throws in try code(word) }
    guard !codes.isEmpty else { throw Arguments.Refusal.missingWord("CODE") }
    if call.wantsJSON {
      try call.printJSON(codes.map { Entry($0, call.terminal.language) })
    } else {
      for (index, code) in codes.enumerated() {
        if index > 0 { call.terminal.say() }
        explain(code, on: call.terminal)
      }
    }
    return 0
  }

  private static func code(_ word: String) throws -> Code {
    if let reason = word.lowercased().hasPrefix("r=") ? Int(word.dropFirst(2)) : nil,
      (1...999).contains(reason)
    {
      return .wifi(reason: reason)
    }
    guard let code = Code(word), code.leg == .wifi || Code.all.contains(code) else {
      throw Refused(
        .notFound,
        Phrase(
          en: "“\(word.visible)” is no code of ours",
          fr: "« \(word.visible) » n’est pas un de nos codes"),
        hint: Phrase(
          en: "list them all: soundgate explain --all",
          fr: "pour tous les voir : soundgate explain --all"))
    }
    return code
  }

  private static func explain(_ code: Code, on terminal: Terminal) {
    let words = code.words
    let symbol = words.symbol.map { "  \($0)" } ?? ""
    terminal.say(terminal.paint("\(code)\(symbol)", .bold))
    terminal.say(words.title)
    if let part = words.part {
      terminal.say(Phrase(en: "leg: \(part.name.english)", fr: "maillon : \(part.name.french)"))
    }
    terminal.say(Phrase(en: "cause: \(words.cause.english)", fr: "cause : \(words.cause.french)"))
    terminal.say(
      Phrase(en: "what to do: \(words.advice.english)", fr: "que faire : \(words.advice.french)"))
  }

  private struct Entry: Encodable {
    let code: String
    let symbol: String?
    let leg: String?
    let title: String
    let cause: String
    let advice: String

    init(_ code: Code, _ language: Language) {
      let words = code.words
      self.code = code.description
      symbol = words.symbol
      leg = words.part?.rawValue
      title = words.title[language]
      cause = words.cause[language]
      advice = words.advice[language]
    }
  }
}
