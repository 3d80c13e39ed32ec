import Foundation

/// The built program, run as a person would.
struct Program {
  let status: Int32
  let output: String
  let errors: String

  /// Runs it to its end.
  ///
  /// - Parameter language: the locale it is run in.
  init(_ words: [String], language: String = "en_US.UTF-8", input: String = "") throws {
    let process = Process()
    process.executableURL = Self.url
    process.arguments = words
    process.environment = ["LC_ALL": language, "SOUNDGATE_SOCKET": "/nonexistent/control.sock"]
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    // What it says in error fits into the pipe; its output may not.
    output = String(
      decoding: standardOutput.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    errors = String(
      decoding: standardError.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  /// What it printed, as JSON.
  func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(output.utf8))
  }

  /// It lies beside the tests' own program.
  private static let url = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "soundgate")
}

/// An error as commands print it with `--json`.
struct PrintedError: Decodable {
  let error: Content

  struct Content: Decodable {
    let code: String
    let message: String
    let hint: String?
  }
}
