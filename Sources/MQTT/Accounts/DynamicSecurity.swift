import Domain
import FoundationEssentials
import Host

/// The accounts of a running Mosquitto, through the topics of its dynamic-security plugin.
///
/// Each call is a connection of its own: accounts change a few times a year.
package struct DynamicSecurity: Sendable {
  private let settings: ClientSettings
  private let clock: any Clock<Duration>
  private let now: WallClock

  private static let topic = "$CONTROL/dynamic-security/v1"

  /// - Parameter settings: host, TLS and the administrator's account; the client id is made up.
  package init(
    _ settings: ClientSettings, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping WallClock
  ) {
    self.settings = settings
    self.clock = clock
    self.now = now
  }

  /// Makes the account, and its role when there is none. An account of that name that exists is
  /// replaced: no sensor can have been given it.
  package func create(_ account: BrokerAccount) async throws(Fault) {
    let role = [DynamicSecurityCommand.Role(rolename: account.role.name)]
    try await perform(
      [
        .init("deleteClient", username: account.user),
        .init("createRole", rolename: account.role.name, acls: account.role.acls),
        .init(
          "createClient", username: account.user, password: account.password.reveal(), roles: role),
      ], tolerating: ["Client not found", "Role already exists"])
  }

  /// Deletes the account and ends its connections; one that does not exist is deleted already.
  package func delete(_ user: String) async throws(Fault) {
    try await perform([.init("deleteClient", username: user)], tolerating: ["Client not found"])
  }

  package func deleteRole(_ role: BrokerRole) async throws(Fault) {
    try await perform([.init("deleteRole", rolename: role.name)], tolerating: ["Role not found"])
  }

  /// The names of all accounts.
  package func users() async throws(Fault) -> [String] {
    try await perform([.init("listClients")]).last?.data?.clients ?? []
  }

  // MARK: - Question and answer

  /// - Parameter tolerating: errors that mean things are already as wanted.
  @discardableResult
  private func perform(
    _ commands: [DynamicSecurityCommand], tolerating known: Set<String> = []
  ) async throws(Fault) -> [DynamicSecurityAnswer] {
    let token = String(UInt64.random(in: .min ... .max), radix: 36)
    let batch = DynamicSecurityBatch(commands: commands.map { $0.correlated(token) })
    guard let payload = try? JSONEncoder().encode(batch) else {
      throw Fault(.accountFailed, "a command could not be written as JSON")
    }
    var settings = settings
    settings.clientID = "soundgate-admin-\(token)"
    settings.isPersistent = false
    settings.subscriptions = [Subscription("\(Self.topic)/response")]
    settings.reconnection = nil
    let client = Client(settings, clock: clock, now: now)
    do throws(Fault) {
      let answers = try await ask(client, [UInt8](payload), token)
      await client.stop()
      for answer in answers {
        guard let error = answer.error, !known.contains(error) else { continue }
        throw Fault(.accountFailed, "\(answer.command): \(error)")
      }
      return answers
    } catch {
      await client.stop()
      throw error
    }
  }

  private func ask(
    _ client: Client, _ payload: [UInt8], _ token: String
  ) async throws(Fault) -> [DynamicSecurityAnswer] {
    try await client.connect()
    let limit = settings.deadlines.request
    // A client that stops wakes its reader.
    let deadline = Task {
      try? await clock.sleep(for: limit)
      if !Task.isCancelled { await client.stop() }
    }
    defer { deadline.cancel() }
    try await client.publish(payload, to: Self.topic, retained: false)
    while true {
      let deliveries = await client.take()
      if deliveries.isEmpty { throw Fault(.cancelled) }
      for delivery in deliveries {
        switch delivery {
        case .message(let message):
          let decoded = try? JSONDecoder().decode(
            DynamicSecurityReply.self, from: Data(message.payload))
          let answers = decoded?.responses ?? []
          if answers.contains(where: { $0.correlationData == token }) { return answers }
        case .disconnected:
          throw Fault(.accountFailed, "the broker did not answer a command on accounts")
        case .connected, .oversized: continue
        }
      }
    }
  }
}

private struct DynamicSecurityBatch: Encodable {
  let commands: [DynamicSecurityCommand]
}

/// A command to the plugin; what it does not need is left out.
private struct DynamicSecurityCommand: Encodable {
  let command: String
  var correlationData: String?
  let username: String?
  let password: String?
  let rolename: String?
  let roles: [Role]?
  let acls: [BrokerACL]?

  struct Role: Encodable { let rolename: String }

  init(
    _ command: String, username: String? = nil, password: String? = nil, rolename: String? = nil,
    roles: [Role]? = nil, acls: [BrokerACL]? = nil
  ) {
    self.command = command
    self.username = username
    self.password = password
    self.rolename = rolename
    self.roles = roles
    self.acls = acls
  }

  func correlated(_ token: String) -> Self {
    var copy = self
    copy.correlationData = token
    return copy
  }
}

private struct DynamicSecurityReply: Decodable {
  let responses: [DynamicSecurityAnswer]
}

private struct DynamicSecurityAnswer: Decodable {
  let command: String
  let correlationData: String?
  let error: String?
  let data: Payload?

  struct Payload: Decodable { let clients: [String]? }
}
