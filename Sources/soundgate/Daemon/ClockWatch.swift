import Bluetooth
import Domain
import Glibc
import Host

/// Whether the machine's clock can be believed: systemd-timesyncd's mark, else what `timedate1` says of
/// any time source (chrony, ntpd). `adjtimex` is not at hand: the unit filters it.
actor ClockWatch {
  private(set) var state = WallClockState.unsynchronised
  private let bus: String
  private var nextQuestion = ContinuousClock.now
  private var otherAnswer = false

  /// - Parameter bus: where `timedate1` is asked.
  init(bus: String) { self.bus = bus }

  /// Looks again; answers what is wrong.
  func refresh() async -> Fault? {
    if access("/run/systemd/timesync/synchronized", F_OK) == 0 {
      state = .synchronised
      return nil
    }
    if await isSynchronisedByOther() {
      state = .synchronised
      return nil
    }
    let expectsSource = access("/run/systemd/timesync", F_OK) == 0
    state = expectsSource && Self.uptime() < .seconds(120) ? .settling : .unsynchronised
    return Fault(.clockUnsynchronised)
  }

  /// Asked every five minutes at most: the question starts `timedated` anew each time.
  private func isSynchronisedByOther() async -> Bool {
    guard ContinuousClock.now >= nextQuestion else { return otherAnswer }
    nextQuestion = .now + .seconds(300)
    otherAnswer = await Self.askTimedate(on: bus)
    return otherAnswer
  }

  private static func askTimedate(on bus: String) async -> Bool {
    guard let connection = try? await DBus.Connection.open(bus) else { return false }
    let question = DBus.Call(
      "org.freedesktop.timedate1", "/org/freedesktop/timedate1",
      "org.freedesktop.DBus.Properties", "Get",
      [.string("org.freedesktop.timedate1"), .string("NTPSynchronized")])
    let reply = try? await connection.call(question, within: .seconds(5))
    await connection.close()
    return reply?.first == .variant(.boolean(true))
  }

  /// Since the machine started, sleep included.
  private static func uptime() -> Duration { ContinuousClock().systemEpoch.duration(to: .now) }
}
