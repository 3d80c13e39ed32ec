import Synchronization

/// What one component of the program has to say to its operator.
///
/// A sentence is constant English; what varies goes into the fields, which are escaped:
/// `log.warning("the broker refused the account", ["account": name, "fault": fault])`.
/// Keep a `Log` as a property of the instance it speaks for, not as a `static`: where its lines go is
/// settled when it is made, which is how a test captures them (`LogSink.$current`).
package struct Log: Sendable {
  package let component: String
  private let sink: LogSink

  /// Lines below this level are dropped; shared by the process, set once at its start.
  private static let threshold = Atomic<Int>(Level.info.rawValue)

  package init(_ component: String, to sink: LogSink = .current) {
    self.component = component
    self.sink = sink
  }

  /// How much a line matters; the raw value is syslog's priority (RFC 5424, 6.2.1).
  package enum Level: Int, Sendable, Comparable, CaseIterable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
    case debug = 7

    /// `error` is the greatest.
    package static func < (left: Level, right: Level) -> Bool { left.rawValue > right.rawValue }

    /// The level a person names in the configuration: `error`, `warning`, `notice`, `info`, `debug`.
    package init?(name: String) {
      guard let level = Level.allCases.first(where: { "\($0)" == name }) else { return nil }
      self = level
    }
  }

  /// The least level that is written; `info` until set.
  package static var minimumLevel: Level {
    get { Level(rawValue: threshold.load(ordering: .relaxed)) ?? .info }
    set { threshold.store(newValue.rawValue, ordering: .relaxed) }
  }

  /// Keys are snake-case words, values whatever can be described; a `Secret` describes itself as dots.
  package typealias Fields = KeyValuePairs<String, any CustomStringConvertible>

  package func error(_ sentence: String, _ fields: Fields = [:]) { write(.error, sentence, fields) }

  package func warning(_ sentence: String, _ fields: Fields = [:]) {
    write(.warning, sentence, fields)
  }

  /// A change worth seeing without asking for it: started, connected again, enrolled.
  package func notice(_ sentence: String, _ fields: Fields = [:]) {
    write(.notice, sentence, fields)
  }

  package func info(_ sentence: String, _ fields: Fields = [:]) { write(.info, sentence, fields) }

  package func debug(_ sentence: String, _ fields: Fields = [:]) { write(.debug, sentence, fields) }

  private func write(_ level: Level, _ sentence: String, _ fields: Fields) {
    guard level >= sink.minimumLevel() else { return }
    sink.write(
      LogRecord(
        level: level, component: component, sentence: sentence,
        fields: fields.map { .init(key: $0.key, value: $0.value.description) }))
  }
}
