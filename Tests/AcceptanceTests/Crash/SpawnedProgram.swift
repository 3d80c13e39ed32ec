import Dispatch
import Foundation
import Glibc
import Host
import TestSupport

/// A program in a process of its own, whose lines are events.
final class SpawnedProgram: Sendable {
  /// What it says; ends with the process.
  let lines: AsyncStream<String>
  private let process: ChildProcess

  init(_ program: String, _ arguments: [String]) throws {
    let (reading, writing) = try Program.channel()
    defer { close(writing) }
    process = try ChildProcess(program, arguments, output: writing)
    let (lines, continuation) = AsyncStream.makeStream(of: String.self)
    self.lines = lines
    // A thread of its own: it must never keep the program waiting for room in the pipe.
    Thread.detachNewThread {
      let output = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
      var rest = Data()
      while true {
        let piece = output.availableData
        if piece.isEmpty { break }
        rest += piece
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
          rest = Data(rest[rest.index(after: end)...])
        }
      }
      continuation.finish()
    }
  }

  /// The power fails.
  func kill() async {
    process.signal(SIGKILL)
    _ = await process.wait()
  }

  /// Ends it as systemd does, with one signal; answers its exit status.
  func stop() async -> Int32 {
    process.signal(SIGTERM)
    return await process.wait()
  }

  /// Ends a Mosquitto, which may lose a signal.
  func terminate() async -> Int32 { await process.terminate() }

  func wait() async -> Int32 { await process.wait() }
}
