import Domain
import Host
import Storage

/// Where sensors are renamed, removed and adopted.
package struct SensorDesk: Sendable {
  private let database: Database
  private let accounts: any Accounts
  private let unclaimed: UnclaimedSensors
  private let desk: EnrolmentDesk
  private let now: WallClock
  private let log = Log("sensors")

  package init(
    database: Database, accounts: any Accounts, unclaimed: UnclaimedSensors, desk: EnrolmentDesk,
    now: @escaping WallClock
  ) {
    self.database = database
    self.accounts = accounts
    self.unclaimed = unclaimed
    self.desk = desk
    self.now = now
  }

  /// - Returns: nil when there is no such sensor.
  package func rename(_ id: SensorID, to name: SensorName) async throws(Fault) -> Sensor? {
    try await database.write { connection in
      let sensors = SensorStore(connection)
      guard try sensors.rename(id, to: name) else { return nil }
      return try sensors.find(id)
    }
  }

  /// Removes a sensor: it is told to forget its broker (and given 5 s to answer), its accounts are
  /// deleted, its history is hidden for 30 days or deleted at once.
  ///
  /// - Returns: false when there is no such sensor.
  package func remove(
    _ id: SensorID, purge: Bool, by operator: String
  ) async throws(Fault) -> Bool {
    guard try await database.read({ try SensorStore($0).find(id) }) != nil else { return false }
    do throws(Fault) {
      try await desk.resetOverMQTT(id, by: `operator`)
    } catch {
      // It may be off, or gone for good: that must not keep it in the list.
      log.info("a removed sensor did not answer its reset", ["sensor": id, "fault": error.code])
    }
    let moment = now()
    let users = try await database.write { connection in
      guard try SensorStore(connection).remove(id, at: moment, purge: purge) else {
        return [String]()
      }
      return try AccountStore(connection).live(of: id).map(\.user)
    }
    for user in users {
      do throws(Fault) {
        try await accounts.remove(user)
        try await database.write { try AccountStore($0).remove(user) }
      } catch {
        // Kept as live: the next enrolment's first reading or the next start deletes it.
        log.warning("an account could not be deleted", ["user": user, "fault": error])
      }
    }
    return true
  }

  /// Takes in a sensor that publishes without having been enrolled.
  ///
  /// - Returns: nil when no such sensor was heard.
  package func adopt(_ id: SensorID, as name: SensorName) async throws(Fault) -> Sensor? {
    guard await unclaimed.find(id) != nil else { return nil }
    let sensor = Sensor(id: id, name: name, enrolledAt: now())
    try await database.write { try SensorStore($0).save(sensor) }
    await unclaimed.forget([id])
    return sensor
  }
}
