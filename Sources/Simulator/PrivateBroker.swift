import Dispatch
import Domain
import Glibc
import Host
import MQTT

/// A real Mosquitto of our own, with its files in a directory of its own, run as the present user.
///
/// It listens where its configuration file says, which for sensors is port 8883 of a private loopback
/// address: they speak TLS on no other port.
package actor PrivateBroker {
  package nonisolated let directory: String
  /// Set when it was set up as on a gateway; the guard then stands in front of its start, as the unit
  /// has it.
  package nonisolated let broker: LocalBroker?
  private let executor = QueueExecutor(label: "private-broker")
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private var process: ChildProcess?
  private var output: (any DispatchSourceRead)?
  private var partial: [UInt8] = []
  /// What the broker has said since its last start.
  package private(set) var lines: [String] = []
  private var waiting:
    [(text: String, count: Int, continuation: CheckedContinuation<Bool, Never>)] =
      []

  /// - Parameter directory: holds `mosquitto.conf`, which must log to standard error.
  package init(directory: String) {
    self.directory = directory
    broker = nil
  }

  package init(_ broker: LocalBroker) {
    directory = broker.directory
    self.broker = broker
  }

  /// Starts Mosquitto and waits until it listens.
  package func start() async throws(Fault) {
    precondition(process == nil, "the private broker runs already")
    if let broker { try BrokerGuard(broker).check() }
    lines = []
    partial = []
    var ends: [Int32] = [0, 0]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw Fault(.internalFault, String(cString: strerror(errno)))
    }
    do {
      process = try ChildProcess(
        "mosquitto", ["-c", "\(directory)/mosquitto.conf"], environment: Self.environment,
        output: ends[1])
    } catch {
      close(ends[0])
      close(ends[1])
      throw Fault(.brokerNotSetUp, "\(error.program): \(String(cString: strerror(error.error)))")
    }
    close(ends[1])
    listen(to: ends[0])
    guard await said(" running") else {
      let words = lines.joined(separator: "; ")
      await kill()
      throw Fault(.brokerNotSetUp, words)
    }
  }

  /// Ends the broker in order (`SIGTERM`): it writes its store.
  package func stop() async {
    guard let process else { return }
    self.process = nil
    _ = await process.terminate()
  }

  /// Ends the broker as a power cut would (`SIGKILL`).
  package func kill() async {
    guard let process else { return }
    self.process = nil
    process.signal(SIGKILL)
    _ = await process.wait()
  }

  /// `SIGSTOP` makes the broker deaf and mute until `SIGCONT`, `SIGUSR1` writes its store.
  package func signal(_ number: Int32) { process?.signal(number) }

  package func restart() async throws(Fault) {
    await stop()
    try await start()
  }

  /// Waits until `count` lines since the start contain `text`; false when the broker ended before.
  @discardableResult
  package func said(_ text: String, times count: Int = 1) async -> Bool {
    if heard(text, times: count) { return true }
    if output == nil { return false }
    return await withCheckedContinuation { waiting.append((text, count, $0)) }
  }

  private func heard(_ text: String, times count: Int) -> Bool {
    lines.count { $0.contains(text) } >= count
  }

  /// Debian keeps the broker where only root looks for programs.
  private static var environment: [String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return ["PATH=\(path):/usr/sbin:/usr/local/sbin", "LC_ALL=C.UTF-8"]
  }

  // MARK: - What it says

  private func listen(to descriptor: Int32) {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: executor.queue)
    source.setEventHandler { [weak self] in self?.assumeIsolated { $0.read(descriptor) } }
    source.setCancelHandler { close(descriptor) }
    source.resume()
    output = source
  }

  private func read(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      hear(buffer[..<count])
    } else if count == 0 || errno != EAGAIN {
      output?.cancel()
      output = nil
      for wait in waiting { wait.continuation.resume(returning: false) }
      waiting = []
    }
  }

  private func hear(_ bytes: ArraySlice<UInt8>) {
    partial += bytes
    while let end = partial.firstIndex(of: UInt8(ascii: "\n")) {
      lines.append(String(decoding: partial[..<end], as: UTF8.self))
      partial.removeSubrange(...end)
    }
    for (index, wait) in waiting.enumerated().reversed() where heard(wait.text, times: wait.count) {
      waiting.remove(at: index)
      wait.continuation.resume(returning: true)
    }
  }
}
