import FoundationEssentials

extension Call {
  /// Prints a value as JSON, keys sorted, one document.
  func printJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    terminal.say(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
