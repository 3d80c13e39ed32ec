import Crypto
import Domain
import FoundationEssentials
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

/// The links that may be open at once, and the enrolments that have them.
actor LinkSlots {
  private let count: Int
  private var holders: [UUID] = []

  init(_ count: Int) { self.count = count }

  /// Nil when `enrolment` has one now, else who has had one longest.
  func take(for enrolment: UUID) -> UUID? {
    if holders.count >= count, let first = holders.first { return first }
    holders.append(enrolment)
    return nil
  }

  func giveBack(by enrolment: UUID) {
    if let index = holders.firstIndex(of: enrolment) { holders.remove(at: index) }
  }
}
