import Domain
import Synchronization

/// The broker's accounts, in memory, and a log that says what a test makes it say.
package final class FakeAccounts: Accounts {
  package struct Account: Hashable, Sendable {
    package let user: String
    package let password: Secret
  }

  private struct State {
    var accounts: [Account] = []
    var fault: Fault?
    var removalFault: Fault?
    var logs: [Int: AsyncStream<BrokerEvent>.Continuation] = [:]
    var nextLog = 0
  }

  package let areManaged: Bool
  package let host: String
  private let state = Mutex(State())
  private let onOpen: (@Sendable (String) -> Void)?
  /// Tells each removal, so that a test can wait for it.
  package let removals = Journal<String>()

  package init(
    areManaged: Bool = true, host: String = "192.168.1.2",
    onOpen: (@Sendable (String) -> Void)? = nil
  ) {
    self.areManaged = areManaged
    self.host = host
    self.onOpen = onOpen
  }

  // MARK: What a test does

  package var all: [Account] { state.withLock(\.accounts) }

  package var users: [String] { all.map(\.user) }

  /// From now on no account can be made; nil makes all well again.
  package func fail(with fault: Fault?) { state.withLock { $0.fault = fault } }

  /// From now on no account can be removed.
  package func failRemovals(with fault: Fault?) { state.withLock { $0.removalFault = fault } }

  package func say(_ event: BrokerEvent) {
    for log in state.withLock({ Array($0.logs.values) }) { log.yield(event) }
  }

  /// The sensor logs in with an account.
  package func logIn(_ sensor: SensorID, as user: String, from ip: String = "192.168.1.7") {
    say(.opened(ip: ip))
    say(.connected(ip: ip, client: SensorProfile.clientID(of: sensor), user: user))
  }

  // MARK: Accounts

  package func open(
    for sensor: SensorID, number: Int, password: Secret?
  ) async throws(Fault) -> MQTTCredentials {
    if let fault = state.withLock(\.fault) { throw fault }
    let account = Account(
      user: areManaged ? "\(sensor)-\(number)" : "site", password: password ?? Secret("site-word"))
    state.withLock { state in
      state.accounts.removeAll { $0.user == account.user }
      state.accounts.append(account)
    }
    onOpen?(account.user)
    do {
      return try MQTTCredentials(host: host, user: account.user, password: account.password)
    } catch {
      throw Fault(.accountFailed, "\(error)")
    }
  }

  package func remove(_ user: String) async throws(Fault) {
    if let fault = state.withLock(\.removalFault) { throw fault }
    state.withLock { state in state.accounts.removeAll { $0.user == user } }
    removals.note(user)
  }

  package func log() async -> AsyncStream<BrokerEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: BrokerEvent.self)
    let number = state.withLock { state in
      state.nextLog += 1
      state.logs[state.nextLog] = continuation
      return state.nextLog
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in _ = state.logs.removeValue(forKey: number) }
    }
    return stream
  }
}
