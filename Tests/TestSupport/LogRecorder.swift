import Host
import Synchronization

/// Keeps log records for a test: `LogSink.$current.withValue(recorder.sink()) { … }`.
package final class LogRecorder: Sendable {
  private let records = Mutex<[LogRecord]>([])

  package init() {}

  package var all: [LogRecord] { records.withLock { $0 } }

  package func sink(from level: Log.Level = .debug) -> LogSink {
    LogSink(minimumLevel: level) { record in
      self.records.withLock { $0.append(record) }
    }
  }
}
