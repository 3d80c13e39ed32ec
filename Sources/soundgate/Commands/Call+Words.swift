import Domain
import Texts

extension Call {
  /// The chip id among the words, checked before anything is asked of the daemon.
  func chip(at index: Int = 1) throws -> SensorID {
    let word = try arguments.word(index, called: placeholder("CHIP", "PUCE"))
    guard let chip = SensorID(word.uppercased()) else {
      throw Refused(
        .invalidInput,
        Phrase(
          en: "“\(word.visible)” is no chip id: twelve digits, 0–9 and A–F",
          fr: "« \(word.visible) » n’est pas un identifiant : douze chiffres, 0–9 et A–F"))
    }
    return chip
  }

  /// The word that names an item by its id or the start of it; refused when it is empty, which every
  /// id begins with.
  func id(called name: String) throws -> String {
    let word = try arguments.word(1, called: name)
    try arguments.expect(atMost: 2)
    guard !word.isEmpty else {
      throw Refused(
        .invalidInput,
        Phrase(en: "\(name) is empty: give an id", fr: "\(name) est vide : donnez un id"))
    }
    return word
  }

  func placeholder(_ english: String, _ french: String) -> String {
    terminal.language == .english ? english : french
  }

  /// Prints the daemon's answer: as it came for `--json`, else for people.
  func show<Value: Decodable>(
    _ bytes: [UInt8], as type: Value.Type, _ print: (Value, Terminal) -> Void
  ) throws {
    if wantsJSON {
      terminal.say(String(decoding: bytes, as: UTF8.self))
    } else {
      print(try Gateway.read(bytes), terminal)
    }
  }
}

extension Terminal {
  /// Asks yes or no; anything but a yes is a no.
  func confirms(_ question: Phrase) async -> Bool {
    guard let answer = await ask(question)?.lowercased() else { return false }
    return ["y", "yes", "o", "oui"].contains(answer)
  }
}
