import FoundationEssentials
import Texts

extension Call {
  /// Prints a value as JSON the way every command does: one document, on one line, keys sorted.
  func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    terminal.say(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// Says that something was done; a script gets the sentence as JSON (`message`).
  func tell(_ phrase: Phrase) throws {
    guard wantsJSON else { return terminal.say(phrase) }
    try printJSON(["message": phrase[terminal.language]])
  }
}
