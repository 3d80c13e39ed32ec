import Crypto
import Domain
import FoundationEssentials
import Host
import Storage

extension EnrolmentSession {
  /// Makes the sensor's account, or takes up again the one this enrolment has, and tries it.
  func openAccount() {
    guard let sensor = machine.progress.peripheral?.sensor else { return }
    let reserved = machine.progress.account
    account = Task {
      do throws(Fault) {
        if context.accounts.areManaged {
          let (record, password) = try await reservation(for: sensor, reserved)
          post(.accountReserved(record.user))
          mqtt = try await context.accounts.open(
            for: sensor, number: record.number, password: password)
        } else {
          mqtt = try await context.accounts.open(for: sensor, number: 0, password: nil)
        }
        post(.accountOpened)
      } catch {
        post(.accountFailed(error))
      }
    }
  }

  /// The account on record before it is made, so that no crash leaves one that nobody knows of.
  private func reservation(
    for sensor: SensorID, _ user: String?
  ) async throws(Fault) -> (AccountRecord, Secret) {
    let seal = context.seal
    let now = context.now()
    return try await context.database.write { connection in
      let accounts = AccountStore(connection)
      if let user, let record = try accounts.find(user), let sealed = record.sealedPassword {
        return (record, try seal.open(sealed, for: SealPurpose.account(user)))
      }
      // A known sensor's password stays, so that a partial set of values still logs in.
      let held = try accounts.live(of: sensor).last { $0.state != .opened }
      let password =
        if let held, let sealed = held.sealedPassword {
          try seal.open(sealed, for: SealPurpose.account(held.user))
        } else {
          RandomText.password()
        }
      let number = try accounts.nextNumber(for: sensor)
      let user = "\(sensor)-\(number)"
      let record = AccountRecord(
        user: user, sensor: sensor, number: number,
        sealedPassword: seal.seal(password, for: SealPurpose.account(user)), createdAt: now)
      try accounts.insert(record)
      return (record, password)
    }
  }

  /// The sensor speaks under its new account: the older ones go.
  func keepAccount() {
    guard let user = machine.progress.account, let sensor = machine.progress.peripheral?.sensor
    else { return }
    tidy { context throws(Fault) in
      try await context.removeAccounts(of: sensor, but: user)
    }
  }

  /// The sensor cannot hold it: it goes.
  func deleteAccount(_ user: String) {
    tidy { context throws(Fault) in try await context.removeAccount(user) }
  }

  /// What fails here is done at the next start.
  private func tidy(
    _ body: @escaping @Sendable (EnrolmentContext) async throws(Fault) -> Void
  ) {
    let previous = account
    account = Task {
      await previous?.value
      do throws(Fault) {
        try await body(context)
      } catch {
        log.warning("an account was not removed", ["enrolment": id, "fault": error])
      }
    }
  }
}

extension EnrolmentContext {
  func removeAccount(_ user: String) async throws(Fault) {
    try await accounts.remove(user)
    try await database.write { try AccountStore($0).remove(user) }
  }

  func removeAccounts(of sensor: SensorID, but kept: String) async throws(Fault) {
    let live = try await database.read { try AccountStore($0).live(of: sensor) }
    for account in live where account.user != kept { try await removeAccount(account.user) }
  }

  /// Removes the accounts that an interruption left behind: those no sensor can hold, and those
  /// older than a proven one.
  func removeLeftoverAccounts() async throws(Fault) {
    let (live, needed) = try await database.read { connection in
      let unfinished = try EnrolmentStore(connection).unfinished()
      return (try AccountStore(connection).live(), Set(unfinished.compactMap(\.account)))
    }
    for account in live where !needed.contains(account.user) {
      let isOutlived = live.contains {
        $0.sensor == account.sensor && $0.state == .proven && $0.number > account.number
      }
      if account.state == .opened || isOutlived { try await removeAccount(account.user) }
    }
  }

  func save(_ credentials: WiFiCredentials) async throws(Fault) {
    let network = NetworkRecord(
      ssid: credentials.ssid,
      sealedKey: seal.seal(credentials.key, for: SealPurpose.network(credentials.ssid)),
      lastUsedAt: now())
    try await database.write { try NetworkStore($0).save(network) }
  }
}
