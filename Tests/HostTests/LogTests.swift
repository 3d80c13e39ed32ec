import Host
import Synchronization
import TestSupport
import Testing

@Suite("The log")
struct LogTests {
  @Test("puts one record on one line, whatever it holds")
  func escapes() {
    let record = LogRecord(
      level: .warning, component: "ingest", sentence: "refused a payload\n",
      fields: [
        .init(key: "sensor", value: "24A160000001"), .init(key: "cause", value: "not JSON"),
        .init(key: "text", value: "a\u{1b}[31m\"b\"\\\r\n\u{85}\u{202e}\u{2028}é"),
        .init(key: "empty", value: ""),
      ])
    #expect(
      record.text == #"ingest: refused a payload\n sensor=24A160000001 cause="not JSON" "#
        + #"text="a\u{1b}[31m\"b\"\\\r\n\u{85}\u{202e}\u{2028}é" empty="""#)
  }

  @Test("goes where the task that made it says, from its least level on")
  func captures() {
    let records = LogRecorder()
    let log = LogSink.$current.withValue(records.sink(from: .info)) { Log("forward") }
    log.debug("too quiet")
    log.info("delivered", ["attempts": 3, "id": "a"])
    log.error("given up")
    #expect(records.all.map(\.level) == [.info, .error])
    #expect(records.all[0]["attempts"] == "3")
    #expect(records.all[1].component == "forward")
  }

  @Test("names its levels, the gravest the greatest")
  func levels() {
    #expect(Log.Level(name: "debug") == .debug)
    #expect(Log.Level(name: "Debug") == nil)
    #expect(Log.Level.allCases.sorted() == [.debug, .info, .notice, .warning, .error])
  }
}
