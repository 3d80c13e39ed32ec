import Domain
import Glibc
import Host

/// Stands in front of the broker's start (`soundgate broker check --store`).
///
/// Mosquitto with a lost or damaged account store starts all the same and refuses everybody, and a
/// sensor that was refused three times erases its settings. So a store that is not whole keeps the
/// port closed: sensors that find nobody there just try again.
package struct BrokerGuard: Sendable {
  private let broker: LocalBroker
  /// Who the broker runs as; a store it could not read would be as good as none.
  private let owner: uid_t?

  /// The greatest store that is read: some hundred thousand accounts.
  static let limit = 64 << 20

  /// - Parameter owner: nil when the broker runs as whoever starts it.
  package init(_ broker: LocalBroker, owner: uid_t? = nil) {
    self.broker = broker
    self.owner = owner
  }

  /// Answers when the broker may start, and keeps a copy of its account store.
  ///
  /// - Throws: `SG-MQTT-321` when the broker was never set up; `SG-MQTT-318` when its store is missing,
  ///   empty, damaged, unreadable to it, or lacks an account.
  package func check() throws(Fault) {
    let users = try AccountList(broker.accountList).read()
    guard !users.isEmpty else {
      throw Fault(.brokerNotSetUp, "the list of accounts \(broker.accountList) is empty")
    }
    let content = try wholeStore(holding: users)
    do {
      let copy = try? Files.read(broker.accountStoreCopy, atMost: Self.limit)
      if copy != content {
        try Files.write(content, to: broker.accountStoreCopy, mode: 0o600)
      }
    } catch {
      // The store itself is whole: a full disk must not keep the sensors out.
      Log("broker").warning("no copy of the account store was kept", ["error": error])
    }
  }

  /// The store's content, when it holds each of `users`.
  func wholeStore(holding users: Set<String>) throws(Fault) -> [UInt8] {
    let path = broker.accountStore
    let content: [UInt8]
    do {
      content = try Files.read(path, atMost: Self.limit)
    } catch {
      throw Fault(.accountStoreDamaged, "\(error)")
    }
    try checkOwner()
    guard !content.isEmpty else { throw Fault(.accountStoreDamaged, "\(path) is empty") }
    guard let store = AccountStore(content) else {
      throw Fault(.accountStoreDamaged, "\(path) is not a whole account store")
    }
    let missing = store.missing(of: users)
    guard missing.isEmpty else {
      throw Fault(
        .accountStoreDamaged,
        "\(path) lacks \(missing.prefix(5).joined(separator: ", "))"
          + (missing.count > 5 ? " and \(missing.count - 5) more" : ""))
    }
    return content
  }

  private func checkOwner() throws(Fault) {
    guard let owner else { return }
    var status = stat()
    guard stat(broker.accountStore, &status) == 0, status.st_uid == owner,
      status.st_mode & S_IRUSR != 0
    else { throw Fault(.accountStoreDamaged, "the broker may not read \(broker.accountStore)") }
  }
}
