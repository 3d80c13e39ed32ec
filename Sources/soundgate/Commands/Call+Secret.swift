import Domain
import Host
import Texts

extension Call {
  /// A secret from the file that `option` names (`-` is standard input), else from the terminal;
  /// never an argument, which every user of the machine could read.
  func secret(option: String, _ question: Phrase) async throws -> Secret {
    if let given = try secret(option: option) { return given }
    if let answer = await terminal.askSecret(question) { return answer }
    throw Refused(
      .invalidInput,
      Phrase(en: "no secret was given", fr: "aucun secret n’a été donné"),
      hint: Phrase(
        en: "--\(option) FILE reads it from a file, --\(option) - from standard input",
        fr: "--\(option) FICHIER le lit dans un fichier, --\(option) - sur l’entrée standard"))
  }

  /// The secret of the file that `option` names; nil when the option is not there.
  func secret(option: String) throws -> Secret? {
    guard let file = arguments[option] else { return nil }
    let text = file == "-" ? readLine(strippingNewline: true) ?? "" : try read(file)
    let secret = text.prefix { !$0.isNewline }
    guard !secret.isEmpty else {
      let name =
        file == "-"
        ? Phrase(en: "standard input", fr: "l’entrée standard")
        : Phrase(en: file.visible, fr: file.visible)
      throw Refused(
        .invalidInput,
        Phrase(
          en: "--\(option): \(name.english) holds no secret",
          fr: "--\(option) : \(name.french) ne contient aucun secret"))
    }
    return Secret(String(secret))
  }

  private func read(_ file: String) throws -> String {
    let name = file.visible
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try Files.read(file, atMost: 4096)
    } catch {
      throw Refused(
        .invalidInput,
        Phrase(
          en: "\(name) cannot be read: \(systemMessage(error.error))",
          fr: "\(name) est illisible : \(systemMessage(error.error))"))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Refused(
        .invalidInput,
        Phrase(en: "\(name) is not valid UTF-8", fr: "\(name) n’est pas de l’UTF-8 valable"))
    }
    return text
  }
}
