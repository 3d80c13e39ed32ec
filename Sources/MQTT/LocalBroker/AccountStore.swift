import Crypto
import Domain
import FoundationEssentials

/// The file in which Mosquitto's dynamic-security plugin keeps its accounts, as far as we write and
/// check it. The plugin rewrites it whole at each change.
struct AccountStore: Codable {
  var clients: [Client]
  var roles: [Role]
  /// What applies when no role says anything.
  var defaultACLAccess: Defaults?

  struct Client: Codable {
    let username: String
    var password: String?
    var salt: String?
    var iterations: Int?
    var roles: [RoleName]?
    var disabled: Bool?
  }

  struct RoleName: Codable { let rolename: String }

  struct Role: Codable {
    let rolename: String
    var acls: [BrokerACL]?
  }

  struct Defaults: Codable {
    var publishClientSend = false
    var publishClientReceive = false
    var subscribe = false
    var unsubscribe = true
  }

  /// A store of these accounts and no other.
  init(_ accounts: [BrokerAccount]) {
    clients = []
    roles = []
    defaultACLAccess = Defaults()
    put(accounts)
  }

  /// - Returns: nil when the bytes are not such a store.
  init?(_ content: [UInt8]) {
    guard let store = try? JSONDecoder().decode(AccountStore.self, from: Data(content)) else {
      return nil
    }
    self = store
  }

  func encoded() throws(Fault) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let data = try? encoder.encode(self) else {
      throw Fault(.internalFault, "the account store could not be written as JSON")
    }
    return [UInt8](data) + [UInt8(ascii: "\n")]
  }

  /// Adds the accounts and their roles, in place of those of the same name.
  mutating func put(_ accounts: [BrokerAccount]) {
    clients.removeAll { client in accounts.contains { $0.user == client.username } }
    clients += accounts.map { account in
      let hash = PasswordHash.dynamicSecurity(account.password)
      return Client(
        username: account.user, password: hash.password, salt: hash.salt,
        iterations: hash.iterations, roles: [RoleName(rolename: account.role.name)])
    }
    let given = Set(accounts.map(\.role)).sorted { $0.name < $1.name }
    roles.removeAll { role in given.contains { $0.name == role.rolename } }
    roles += given.map { Role(rolename: $0.name, acls: $0.acls) }
  }

  /// Whether the account may log in with its password and has its role, whole.
  func holds(_ account: BrokerAccount) -> Bool {
    guard let client = clients.first(where: { $0.username == account.user }),
      let salt = client.salt.flatMap({ Data(base64Encoded: $0) }), let count = client.iterations,
      missing(of: [account.user]).isEmpty
    else { return false }
    let hash = PasswordHash.dynamicSecurity(
      account.password, salt: [UInt8](salt), iterations: count)
    let granted = roles.first { $0.rolename == account.role.name }?.acls
    return hash.password == client.password && Set(granted ?? []) == Set(account.role.acls)
  }

  /// The accounts of `users` that could not log in or would be let do nothing.
  func missing(of users: Set<String>) -> [String] {
    let usable = Set(roles.lazy.filter { $0.acls?.isEmpty == false }.map(\.rolename))
    let present = clients.lazy.filter { client in
      client.disabled != true && client.password?.isEmpty == false && client.salt?.isEmpty == false
        && client.roles?.contains { usable.contains($0.rolename) } == true
    }
    return users.subtracting(present.map(\.username)).sorted()
  }
}
