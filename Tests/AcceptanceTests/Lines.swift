import Dispatch
import Foundation
import Host

/// What a child process says, line by line; a test waits for a line instead of for a time.
actor Lines {
  private let executor = QueueExecutor(label: "lines")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Everything that was ever said.
  private(set) var all: [String] = []
  /// Where the lines of the present child begin.
  private var first = 0
  private var partial: [UInt8] = []
  private var source: (any DispatchSourceRead)?
  private var waiting: [(text: String, continuation: CheckedContinuation<Bool, Never>)] = []

  /// Reads `descriptor`, which is owned from now on, to its end.
  func listen(to descriptor: Int32) {
    first = all.count
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: executor.queue)
    source.setEventHandler { [weak self] in self?.assumeIsolated { $0.read(descriptor) } }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    self.source = source
  }

  /// Returns once a line of the present child contains `text`; false when it has ended before.
  func said(_ text: String) async -> Bool {
    if all[first...].contains(where: { $0.contains(text) }) { return true }
    if source == nil { return false }
    return await withCheckedContinuation { waiting.append((text, $0)) }
  }

  private func read(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return end() }
    partial += buffer[..<count]
    while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
      hear(String(decoding: partial[..<end], as: UTF8.self))
      partial.removeSubrange(...end)
    }
  }

  private func hear(_ line: String) {
    all.append(line)
    for (index, wait) in waiting.enumerated().reversed() where line.contains(wait.text) {
      waiting.remove(at: index)
      wait.continuation.resume(returning: true)
    }
  }

  private func end() {
    source?.cancel()
    source = nil
    for wait in waiting { wait.continuation.resume(returning: false) }
    waiting = []
  }
}
