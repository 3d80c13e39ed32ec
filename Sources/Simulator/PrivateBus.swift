import FoundationEssentials
import Glibc
import Host

/// A real `dbus-daemon` of our own, for the demonstration and the tests: it has nothing to do with
/// the machine's buses. It may be killed and started again at the same address.
package actor PrivateBus {
  /// Where to connect, `unix:path=…`.
  package nonisolated let address: String
  private let directory: String
  private var daemon: ChildProcess?

  /// What the bus lets its clients do.
  package enum Policy: Sendable {
    case open
    /// Nobody may call `org.bluez`, as on a machine whose policy leaves our user out.
    case bluezDenied
  }

  package struct NotStarted: Error, Sendable {
    package let reason: String
  }

  /// Prepares the bus in a new directory under `parent`; nothing runs yet.
  package init(under parent: String = "/tmp", policy: Policy = .open) throws(NotStarted) {
    directory = "\(parent)/soundgate-bus-\(UUID().uuidString)"
    let socket = "\(directory)/bus"
    address = "unix:path=\(socket)"
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Self.configuration(address: address, policy: policy)
        .write(toFile: "\(directory)/bus.conf", atomically: true, encoding: .utf8)
    } catch {
      throw NotStarted(reason: "\(error)")
    }
  }

  /// Starts the daemon and returns once it accepts connections. Harmless when it runs already.
  package func start() async throws(NotStarted) {
    guard daemon == nil else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw NotStarted(reason: "no pipe") }
    let (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // Its complaints need a place that stays open: a closed pipe would end it.
    let log = open("\(directory)/log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(log) }
    do {
      daemon = try ChildProcess(
        "dbus-daemon",
        ["--config-file=\(directory)/bus.conf", "--nofork", "--nopidfile", "--print-address"],
        output: writing, errors: log)
    } catch {
      close(reading)
      close(writing)
      throw NotStarted(reason: "dbus-daemon: \(systemMessage(error.error))")
    }
    close(writing)
    // It prints its address once it listens, and nothing when it cannot.
    let said = await Self.firstLine(from: reading)
    guard said.hasPrefix(address) else {
      await kill()
      let log = try? String(contentsOfFile: "\(directory)/log", encoding: .utf8)
      throw NotStarted(reason: "dbus-daemon: \(log ?? said)")
    }
  }

  /// Kills the daemon as a crash would and waits for its end; the address stays for `start()`.
  package func kill() async {
    guard let daemon else { return }
    self.daemon = nil
    daemon.signal(SIGKILL)
    _ = await daemon.wait()
  }

  /// Ends the daemon and removes its directory.
  package func stop() async {
    await kill()
    try? FileManager.default.removeItem(atPath: directory)
  }

  private static func firstLine(from descriptor: Int32) async -> String {
    await Blocking.run {
      var line: [UInt8] = []
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
      close(descriptor)
      return String(decoding: line, as: UTF8.self)
    }
  }

  private static func configuration(address: String, policy: Policy) -> String {
    let denial =
      switch policy {
      case .open: ""
      case .bluezDenied: #"<deny send_destination="org.bluez"/>"#
      }
    return """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>custom</type>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
          <allow own="*"/>
          \(denial)
        </policy>
      </busconfig>
      """
  }
}
