import Crypto
import Domain
import Storage

/// What an enrolment needs of the rest of the gateway.
package struct EnrolmentContext: Sendable {
  package let radio: any Radio
  package let accounts: any Accounts
  package let database: Database
  package let feed: ReadingFeed
  package let unclaimed: UnclaimedSensors
  package let seal: SealKey
  /// Publishes a command to a sensor, not retained, and waits for the broker's acknowledgement.
  package let publish: @Sendable (_ topic: String, _ payload: [UInt8]) async throws(Fault) -> Void
  package let deadlines: EnrolmentDeadlines
  /// How many links may be open at once.
  package let links: Int
  package let clock: any Clock<Duration>
  package let now: WallClock

  package init(
    radio: any Radio, accounts: any Accounts, database: Database, feed: ReadingFeed,
    unclaimed: UnclaimedSensors, seal: SealKey,
    publish: @escaping @Sendable (String, [UInt8]) async throws(Fault) -> Void,
    deadlines: EnrolmentDeadlines = EnrolmentDeadlines(), links: Int = 1,
    clock: any Clock<Duration> = ContinuousClock(), now: @escaping WallClock
  ) {
    self.radio = radio
    self.accounts = accounts
    self.database = database
    self.feed = feed
    self.unclaimed = unclaimed
    self.seal = seal
    self.publish = publish
    self.deadlines = deadlines
    self.links = links
    self.clock = clock
    self.now = now
  }
}

/// What secrets of an enrolment are sealed for.
package enum SealPurpose {
  package static func account(_ user: String) -> String { "account:\(user)" }
  static func network(_ ssid: String) -> String { "network:\(ssid)" }
}

/// The links that may be open at once.
actor LinkSlots {
  private var free: Int

  init(_ count: Int) { free = count }

  func take() -> Bool {
    guard free > 0 else { return false }
    free -= 1
    return true
  }

  func giveBack() { free += 1 }
}
