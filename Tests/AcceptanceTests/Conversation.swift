import Dispatch
import Foundation
import Glibc
import Host
import TestSupport
import Texts

/// The built program on a terminal of its own, and the person before it.
actor Conversation {
  private let executor = QueueExecutor(label: "conversation")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let terminal: Int32
  private let child: ChildProcess
  private var isListening = false
  /// Nil before and after.
  private var source: (any DispatchSourceRead)?
  private var heard: [UInt8] = []
  /// Where what was not yet waited for begins.
  private var position = 0
  private var waiting: (text: [UInt8], continuation: CheckedContinuation<Bool, Never>)?

  /// - Parameter columns: how wide the terminal is.
  init(_ words: [String], socket: String, columns: UInt16 = 80) throws {
    var (terminal, line): (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: 25, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&terminal, &line, nil, nil, &size) == 0 else { throw POSIXError(.EAGAIN) }
    defer { close(line) }
    _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
    self.terminal = terminal
    child = try ChildProcess(
      Program.path, words, environment: Program.environment(socket: socket) + ["NO_COLOR=1"],
      input: line, output: line)
  }

  /// Everything that stood on the terminal so far.
  var transcript: String { String(decoding: heard, as: UTF8.self) }

  /// Waits until `text` comes after whatever was waited for before; false when the program ends
  /// without it.
  func hears(_ text: String) async -> Bool {
    if !isListening { listen() }
    if take(Array(text.utf8)) { return true }
    if source == nil { return false }
    return await withCheckedContinuation { waiting = (Array(text.utf8), $0) }
  }

  nonisolated func type(_ text: String) { Terminal.type(text + "\n", on: terminal) }

  nonisolated func interrupt() { child.signal(SIGINT) }

  /// What a closed terminal does.
  nonisolated func hangUp() { child.signal(SIGHUP) }

  /// Waits for the program's end; answers its exit status, or minus the signal that ended it.
  func end() async -> Int32 {
    while await hears("\u{0}") {}
    return await child.wait()
  }

  private func listen() {
    isListening = true
    let source = DispatchSource.makeReadSource(fileDescriptor: terminal, queue: executor.queue)
    source.setEventHandler { [weak self] in self?.assumeIsolated { $0.read() } }
    // Not before: the number would be given to another while Dispatch still watches it.
    source.setCancelHandler { [terminal] in close(terminal) }
    source.activate()
    self.source = source
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(terminal, &buffer, buffer.count)
    // The last program on a terminal that leaves it makes reading an error.
    guard count > 0 else { return leave() }
    heard += buffer[..<count]
    if let wait = waiting, take(wait.text) {
      waiting = nil
      wait.continuation.resume(returning: true)
    }
  }

  private func leave() {
    source?.cancel()
    source = nil
    waiting?.continuation.resume(returning: false)
    waiting = nil
  }

  private func take(_ text: [UInt8]) -> Bool {
    guard let range = heard[position...].firstRange(of: text) else { return false }
    position = range.upperBound
    return true
  }

  private enum Terminal {
    static func type(_ text: String, on descriptor: Int32) {
      let bytes = Array(text.utf8)
      precondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    }
  }
}
