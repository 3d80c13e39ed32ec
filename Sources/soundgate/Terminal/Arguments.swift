import Domain
import Texts

/// The words after a command, split into positional words, options and flags.
package struct Arguments: Sendable {
  package private(set) var words: [String] = []
  private var values: [String: String] = [:]
  private var flags: Set<String> = []

  /// Splits `raw`. Options take a value (`--name VALUE` or `--name=VALUE`), flags none; `--` ends
  /// both, and `-h` is `--help` where that is known. An unknown name, a missing value, one too many
  /// and bytes that are not UTF-8 are refused.
  package init(_ raw: [String], options: Set<String> = [], flags known: Set<String> = [])
    throws(Refusal)
  {
    var rest = raw[...]
    while let word = rest.popFirst() {
      guard !word.unicodeScalars.contains("\u{FFFD}") else { throw .notUTF8(word) }
      if word == "--" {
        words.append(contentsOf: rest)
        return
      }
      if word == "-h", known.contains("help") {
        flags.insert("help")
        continue
      }
      guard word.hasPrefix("--") else {
        guard !word.hasPrefix("-") || word == "-" || Double(word) != nil else {
          throw .unknownOption(word)
        }
        words.append(word)
        continue
      }
      let parts = word.dropFirst(2).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if known.contains(name) {
        guard parts.count == 1 else { throw .noValue(name) }
        flags.insert(name)
      } else if options.contains(name) {
        guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
          throw .missingValue(name)
        }
        guard !value.unicodeScalars.contains("\u{FFFD}") else { throw .notUTF8(value) }
        guard values.updateValue(value, forKey: name) == nil else { throw .givenTwice(name) }
      } else {
        throw .unknownOption("--\(name)")
      }
    }
  }

  package func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// Refuses flags that mean nothing to what was called.
  package func refuse(_ names: [String], with command: String) throws(Refusal) {
    if let name = names.first(where: has) { throw .notWith(flag: name, command: command) }
  }

  package subscript(option: String) -> String? { values[option] }

  /// The word at `index`, or a refusal that names what is missing.
  package func word(_ index: Int, called name: String) throws(Refusal) -> String {
    guard words.indices.contains(index) else { throw .missingWord(name) }
    return words[index]
  }

  /// Refuses words beyond the first `count`.
  package func expect(atMost count: Int) throws(Refusal) {
    if words.count > count { throw .extraWord(words[count]) }
  }

  /// A mistake on the command line.
  package enum Refusal: Error, Equatable {
    case unknownCommand(String)
    case unknownOption(String)
    case missingValue(String)
    /// A flag was given a value.
    case noValue(String)
    case missingWord(String)
    case extraWord(String)
    case notUTF8(String)
    case givenTwice(String)
    case notWith(flag: String, command: String)
    case badValue(option: String, value: String, expected: Phrase)
    /// Two options that exclude each other, as they are written.
    case contradiction(String, String)

    package var phrase: Phrase {
      switch self {
      case .unknownCommand(let name):
        Phrase(
          en: "there is no command “\(name)”", fr: "la commande « \(name) » n’existe pas")
      case .unknownOption(let name):
        Phrase(
          en: "there is no option \(name.visible)",
          fr: "l’option \(name.visible) n’existe pas")
      case .missingValue(let name):
        Phrase(en: "option --\(name) needs a value", fr: "l’option --\(name) attend une valeur")
      case .noValue(let name):
        Phrase(
          en: "option --\(name) takes no value", fr: "l’option --\(name) n’attend aucune valeur")
      case .missingWord(let name):
        Phrase(en: "\(name) is missing", fr: "\(name) manque")
      case .extraWord(let word):
        Phrase(
          en: "“\(word.visible)” is one word too many", fr: "« \(word.visible) » est de trop")
      case .notUTF8(let word):
        Phrase(
          en: "“\(word.visible)” is not valid UTF-8",
          fr: "« \(word.visible) » n’est pas de l’UTF-8 valable")
      case .givenTwice(let name):
        Phrase(
          en: "option --\(name) is given twice", fr: "l’option --\(name) est donnée deux fois")
      case .notWith(let flag, let command):
        Phrase(
          en: "--\(flag) means nothing with \(command.visible)",
          fr: "--\(flag) n’a pas de sens avec \(command.visible)")
      case .badValue(let option, let value, let expected):
        Phrase(
          en: "\(option) = \(value): expected \(expected.english)",
          fr: "\(option) = \(value) : attendu \(expected.french)")
      case .contradiction(let one, let other):
        Phrase(
          en: "\(one) and \(other) exclude each other", fr: "\(one) et \(other) s’excluent")
      }
    }
  }
}
