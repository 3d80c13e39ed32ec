import Domain
import Texts

/// One subcommand: its page in the manual and what it does.
protocol Command: Sendable {
  /// The word that calls it.
  static var name: String { get }
  /// One line for the list of commands.
  static var summary: Phrase { get }
  /// How it is called, with examples.
  static var usage: Phrase { get }
  /// Names of options that take a value, and of flags, beside the common `--socket`, `--json`,
  /// `--help`.
  static var options: Set<String> { get }
  static var flags: Set<String> { get }

  /// Does it. Answers the exit status; throws what went wrong.
  static func run(_ call: Call) async throws -> Int32
}

extension Command {
  static var options: Set<String> { [] }
  static var flags: Set<String> { [] }
}

/// One call of a command.
struct Call: Sendable {
  let arguments: Arguments
  let terminal: Terminal

  var wantsJSON: Bool { arguments.has("json") }
}

/// A refusal with words of its own and a code.
package struct Refused: Error {
  package let code: Code
  package let message: Phrase
  package let hint: Phrase?

  init(_ code: Code = .invalidInput, _ message: Phrase, hint: Phrase? = nil) {
    self.code = code
    self.message = message
    self.hint = hint
  }
}
