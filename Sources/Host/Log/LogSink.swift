import Glibc

/// Where log lines go.
package struct LogSink: Sendable {
  let minimumLevel: @Sendable () -> Log.Level
  let write: @Sendable (LogRecord) -> Void

  /// - Parameter minimumLevel: nil follows `Log.minimumLevel`.
  package init(
    minimumLevel: Log.Level? = nil, write: @escaping @Sendable (LogRecord) -> Void
  ) {
    self.minimumLevel = { minimumLevel ?? Log.minimumLevel }
    self.write = write
  }

  /// Where a `Log` made in this task writes to: the process's sink, unless a test put its own here.
  @TaskLocal package static var current: LogSink = .process

  /// The journal when standard error is connected to it, else standard error.
  package static let process: LogSink = {
    let isJournal = Journal.isBehind(
      descriptor: STDERR_FILENO, stream: Environment["JOURNAL_STREAM"])
    guard isJournal, let journal = Journal() else { return lines(to: STDERR_FILENO) }
    return LogSink { record in
      // A record the journal does not take (too large for a datagram) goes out as a line.
      if !journal.send(record) { writeLine(of: record, to: STDERR_FILENO) }
    }
  }()

  /// One `<priority>component: sentence key=value` line per record, the form systemd reads from a
  /// service's standard error (sd-daemon(3)).
  package static func lines(to descriptor: Int32) -> LogSink {
    LogSink { writeLine(of: $0, to: descriptor) }
  }

  /// One write(2) per line, so that lines of several threads never mix.
  private static func writeLine(of record: LogRecord, to descriptor: Int32) {
    let line = Array("<\(record.level.rawValue)>\(record.text)\n".utf8)
    while write(descriptor, line) == -1 && errno == EINTR {}
  }

  private static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
    Glibc.write(descriptor, bytes, bytes.count)
  }
}
