import Domain
import Glibc
import Host
import Texts

extension Configuration {
  /// The configuration of `path`; without one, of the usual file, which need not exist.
  ///
  /// - Throws: `Invalid` with all that is wrong in the file; a refusal with the system's reason when it
  ///   cannot be read.
  static func load(_ path: String?) throws -> Configuration { try read(path) ?? Configuration() }

  /// The same; nil when the usual file is not there.
  static func read(_ path: String?) throws -> Configuration? {
    let file = path ?? defaultPath
    let bytes: [UInt8]
    do {
      bytes = try Files.read(file, atMost: 1 << 20)
    } catch  where path == nil && error.error == ENOENT {
      return nil
    } catch {
      let reason = systemMessage(error.error)
      throw Refused(
        .configuration,
        Phrase(
          en: "\(file.visible) cannot be read: \(reason)",
          fr: "\(file.visible) est illisible : \(reason)"),
        hint: Phrase(
          en: "check the path and the file's rights",
          fr: "vérifiez le chemin et les droits du fichier"))
    }
    return try Configuration(parsing: bytes, file: file)
  }

  /// Reads a file's bytes, which must be UTF-8.
  package init(parsing bytes: [UInt8], file: String) throws(Invalid) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Invalid(file: file, problems: Self.foreignBytes(in: bytes))
    }
    try self.init(parsing: text, file: file)
  }

  /// The lines that are not UTF-8, each with its first byte that is not.
  private static func foreignBytes(in bytes: [UInt8]) -> [INI.Problem] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.enumerated().compactMap { index, line in
      guard let place = firstForeignByte(of: line) else { return nil }
      let byte = String(line[line.startIndex + place], radix: 16, uppercase: true)
      return INI.Problem(
        line: index + 1,
        message: Phrase(
          en: "not valid UTF-8: byte \(place + 1) of the line is 0x\(byte); save the file as UTF-8",
          fr: "UTF-8 invalide : l’octet \(place + 1) de la ligne vaut 0x\(byte) ; enregistrez le "
            + "fichier en UTF-8"))
    }
  }

  private static func firstForeignByte(of line: ArraySlice<UInt8>) -> Int? {
    var decoder = UTF8()
    var rest = line.makeIterator()
    var place = 0
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let scalar): place += UTF8.width(scalar)
      case .emptyInput: return nil
      case .error: return place
      }
    }
  }
}
