import Domain
import Foundation
import Host
import Texts

/// The built program, run as a person would, to its end.
package struct Program: Sendable {
  package let status: Int32
  package let output: String
  package let errors: String

  /// Output and errors together, for what may stand in either.
  package var words: String { output + errors }

  /// It lies beside the tests' own program.
  package static let path = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appending(path: "soundgate").path

  /// - Parameters:
  ///   - locale: the locale it is run in.
  ///   - socket: where it looks for a daemon.
  ///   - input: what it reads; a few hundred bytes at most.
  package static func run(
    _ words: [String], locale: String = "en_US.UTF-8", socket: String = "/nonexistent/control.sock",
    input: String = ""
  ) async throws -> Program {
    let directory = try TemporaryDirectory()
    let output = try create(directory.file("output"))
    let errors = try create(directory.file("errors"))
    let (reading, writing) = try channel()
    defer { close(writing) }
    let child: ChildProcess
    do {
      defer {
        for descriptor in [reading, output, errors] { close(descriptor) }
      }
      child = try ChildProcess(
        path, words, environment: environment(locale: locale, socket: socket), input: reading,
        output: output, errors: errors)
    }
    // A program that has ended already reads nothing more.
    send(writing, input, input.utf8.count, Int32(MSG_NOSIGNAL))
    shutdown(writing, Int32(SHUT_WR))
    let status = await withTaskCancellationHandler {
      await child.wait()
    } onCancel: {
      child.signal(SIGKILL)
    }
    return Program(
      status: status,
      output: try String(contentsOfFile: directory.file("output"), encoding: .utf8),
      errors: try String(contentsOfFile: directory.file("errors"), encoding: .utf8))
  }

  package static func run(
    _ words: [String], language: Language, socket: String = "/nonexistent/control.sock",
    input: String = ""
  ) async throws -> Program {
    try await run(words, locale: locale(of: language), socket: socket, input: input)
  }

  package static func environment(
    locale: String = "en_US.UTF-8", socket: String
  ) -> [String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return ["PATH=\(path)", "LC_ALL=\(locale)", "SOUNDGATE_SOCKET=\(socket)"]
  }

  private static func locale(of language: Language) -> String {
    language == .french ? "fr_FR.UTF-8" : "en_US.UTF-8"
  }

  /// What it printed, as JSON.
  package func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(output.utf8))
  }

  /// A stream from `writing` to `reading` that no other child inherits: the end of the one is seen
  /// at the other.
  package static func channel() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
    return (ends[0], ends[1])
  }

  private static func create(_ path: String) throws -> Int32 {
    let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.EACCES) }
    return descriptor
  }
}
