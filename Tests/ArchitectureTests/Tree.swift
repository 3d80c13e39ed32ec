import Foundation

/// The checkout these tests were built from.
enum Tree {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The Swift files below a folder of the checkout, in order of their paths.
  static func swiftFiles(below folder: String) throws -> [SwiftFile] {
    try files(below: folder).filter { $0.hasSuffix(".swift") }.map(SwiftFile.init)
  }

  /// The paths of all files below a folder, from the checkout's root.
  static func files(below folder: String) throws -> [String] {
    let top = root.appending(path: folder)
    guard
      let walk = FileManager.default.enumerator(
        at: top, includingPropertiesForKeys: [.isRegularFileKey])
    else { throw CocoaError(.fileReadNoSuchFile) }
    var paths: [String] = []
    for case let url as URL in walk
    where try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true {
      paths.append(String(url.path.dropFirst(root.path.count + 1)))
    }
    return paths.sorted()
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}

/// A Swift file of the checkout.
struct SwiftFile: CustomStringConvertible {
  /// From the checkout's root: `Sources/Domain/Secret.swift`.
  let path: String
  let text: String
  /// The text with comments and the insides of string literals blanked, line by line as it was.
  let code: String

  init(path: String) throws {
    self.path = path
    text = try Tree.text(of: path)
    code = SwiftFile.code(of: text)
  }

  /// The target the file belongs to: the second part of its path.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  var description: String { path }

  /// The numbers, from 1, of the lines whose code matches.
  func lines(matching pattern: some RegexComponent) -> [Int] {
    code.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .filter { $0.element.contains(pattern) }.map { $0.offset + 1 }
  }

  private static func code(of text: String) -> String {
    text.replacing(literalOrComment) { match in
      // Lines keep their numbers.
      let lines = match.output.count { $0 == "\n" }
      return match.output.hasPrefix("/")
        ? String(repeating: "\n", count: lines)
        : "\"" + String(repeating: "\n", count: lines) + "\""
    }
  }

  /// A multi-line string, a string, a block comment or a line comment, whichever begins first.
  private static var literalOrComment: Regex<Substring> {
    /(?s)"""(?:\\.|(?!""").)*"""|"(?:\\.|[^"\\\n])*"|\/\*.*?\*\/|\/\/[^\n]*/
  }
}
