import Glibc
import Host
import TestSupport
import Testing

@Suite("The journal")
struct JournalTests {
  @Test("gets the line, its priority and each field, a line break with the length in front")
  func sends() throws {
    let directory = try TemporaryDirectory()
    let receiver = DatagramReceiver(at: directory.file("socket"))
    guard let journal = Journal(socket: directory.file("socket")) else {
      Issue.record("no socket")
      return
    }
    let isTaken = journal.send(
      LogRecord(
        level: .warning, component: "mqtt", sentence: "refused",
        fields: [
          .init(key: "client_id", value: "a=b"), .init(key: "reason-1", value: "two\nlines"),
        ]))
    #expect(isTaken)
    let expected =
      #"MESSAGE=mqtt: refused client_id="a=b" reason-1="two\nlines""# + "\n"
      + "PRIORITY=4\nSYSLOG_IDENTIFIER=soundgate\nSOUNDGATE_COMPONENT=mqtt\n"
      + "SOUNDGATE_CLIENT_ID=a=b\nSOUNDGATE_REASON_1\n\u{9}\0\0\0\0\0\0\0two\nlines\n"
    #expect(receiver.nextText() == expected)
  }

  @Test("says when it did not take a record")
  func refuses() {
    guard let journal = Journal(socket: "/nowhere/at/all") else {
      Issue.record("no socket")
      return
    }
    let isTaken = journal.send(LogRecord(level: .info, component: "a", sentence: "b"))
    #expect(!isTaken)
  }

  @Test("is behind standard error only when device and inode are its own")
  func recognises() throws {
    let descriptor = open("/dev/null", O_WRONLY)
    defer { close(descriptor) }
    var status = stat()
    #expect(fstat(descriptor, &status) == 0)
    let own = "\(status.st_dev):\(status.st_ino)"
    #expect(Journal.isBehind(descriptor: descriptor, stream: own))
    #expect(!Journal.isBehind(descriptor: descriptor, stream: own + "1"))
    #expect(!Journal.isBehind(descriptor: descriptor, stream: nil))
  }
}

@Suite("A log on a descriptor")
struct LogLinesTests {
  @Test("writes a line with its priority in front")
  func lines() {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    defer { close(ends[0]) }
    Log("web", to: .lines(to: ends[1])).error("stopped", ["status": 503])
    close(ends[1])
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = read(ends[0], &buffer, buffer.count)
    let line = String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    #expect(line == "<3>web: stopped status=503\n")
  }
}
