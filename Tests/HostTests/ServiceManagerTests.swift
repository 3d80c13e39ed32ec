import Glibc
import Host
import TestSupport
import Testing

@Suite("The service manager")
struct ServiceManagerTests {
  @Test("is told each change in one datagram", arguments: [true, false])
  func notifies(isAbstract: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = isAbstract ? "@\(directory.path)/notify" : directory.file("notify")
    let receiver = DatagramReceiver(at: path)
    let manager = ServiceManager(
      socket: path, watchdogMicroseconds: nil, watchdogProcess: nil)
    manager.ready()
    manager.status("2 sensors\nREADY=0")
    manager.ping()
    manager.extendTimeout(by: .milliseconds(1500))
    manager.stopping()
    #expect(receiver.nextText() == "READY=1")
    #expect(receiver.nextText() == "STATUS=2 sensors READY=0")
    #expect(receiver.nextText() == "WATCHDOG=1")
    #expect(receiver.nextText() == "EXTEND_TIMEOUT_USEC=1500000")
    #expect(receiver.nextText() == "STOPPING=1")
    #expect(receiver.nextText() == nil)
  }

  @Test("is not needed", arguments: [nil, "", "relative", "/nowhere/at/all"])
  func absent(socket: String?) {
    ServiceManager(socket: socket, watchdogMicroseconds: nil, watchdogProcess: nil).ready()
  }

  @Test(
    "says how often its watchdog must be fed",
    arguments: [
      ("30000000", nil, Duration.seconds(30)), ("30000000", "\(getpid())", .seconds(30)),
      ("30000000", "1", nil), ("0", nil, nil), ("x", nil, nil), (nil, nil, nil),
    ] as [(String?, String?, Duration?)])
  func watchdog(microseconds: String?, process: String?, expected: Duration?) {
    let manager = ServiceManager(
      socket: nil, watchdogMicroseconds: microseconds, watchdogProcess: process)
    #expect(manager.watchdogInterval == expected)
  }
}
