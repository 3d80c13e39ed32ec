import Domain
import Host

/// The names of the accounts that the broker must know, one a line; what the guard holds the broker's
/// account store against.
///
/// A name enters after the broker has the account and leaves before the broker loses it, so at every
/// moment, power cuts included, the store holds at least these.
package struct AccountList: Sendable {
  package let path: String

  package init(_ path: String) { self.path = path }

  /// - Throws: `SG-MQTT-321` when there is no list: then nothing can be checked.
  package func read() throws(Fault) -> Set<String> {
    do {
      let text = String(decoding: try Files.read(path, atMost: 1 << 20), as: UTF8.self)
      return Set(text.split(separator: "\n").map(String.init))
    } catch {
      throw Fault(.brokerNotSetUp, "\(error)")
    }
  }

  package func insert(_ user: String) throws(Fault) { try change { $0.insert(user) } }

  package func remove(_ user: String) throws(Fault) { try change { $0.remove(user) } }

  private func change(_ body: (inout Set<String>) -> Void) throws(Fault) {
    var users = try read()
    let before = users
    body(&users)
    guard users != before else { return }
    do {
      try Files.write(Self.encoded(users), to: path, mode: 0o600)
    } catch {
      throw Fault(.storeWrite, "\(error)")
    }
  }

  static func encoded(_ users: Set<String>) -> [UInt8] {
    Array(users.sorted().map { "\($0)\n" }.joined().utf8)
  }
}
