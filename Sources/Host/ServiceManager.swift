import Glibc

/// What a service tells systemd about itself (sd_notify(3)); silent when nobody listens.
package struct ServiceManager: Sendable {
  private let socket: String?
  /// How often the watchdog must hear `ping()` at least; nil when there is none. Ping at half of it.
  package let watchdogInterval: Duration?

  package init(
    socket: String? = Environment["NOTIFY_SOCKET"],
    watchdogMicroseconds: String? = Environment["WATCHDOG_USEC"],
    watchdogProcess: String? = Environment["WATCHDOG_PID"]
  ) {
    self.socket = socket
    let isOurs = watchdogProcess.map { $0 == "\(getpid())" } ?? true
    watchdogInterval = watchdogMicroseconds.flatMap(Int64.init).flatMap { microseconds in
      isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }
  }

  /// Start-up is complete.
  package func ready() { send("READY=1") }

  package func stopping() { send("STOPPING=1") }

  /// One line for `systemctl status`.
  package func status(_ text: String) {
    send("STATUS=\(String(text.map { $0.isNewline ? " " : $0 }))")
  }

  package func ping() { send("WATCHDOG=1") }

  /// Asks for more time to start or stop, counted from now.
  package func extendTimeout(by span: Duration) {
    send("EXTEND_TIMEOUT_USEC=\(span.milliseconds * 1000)")
  }

  private func send(_ line: String) {
    guard let socket, let datagrams = DatagramSocket(to: socket) else { return }
    _ = datagrams.send(Array(line.utf8))
  }
}

extension Duration {
  fileprivate var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
