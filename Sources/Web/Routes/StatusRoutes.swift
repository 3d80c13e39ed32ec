import Domain
import Services
import Storage

extension Endpoints {
  func addStatusRoutes(to router: inout Router) {
    on("GET", "/status", in: &router) { _, language in
      let stored = await storedCounts()
      let tallies = await board.counts
      return try .encoded(
        API.Status(
          gateway: identity.gateway, site: identity.site, version: identity.version,
          startedAt: API.Moment(identity.startedAt), now: API.Moment(now()),
          level: await board.level,
          components: await board.statuses.map { API.Component($0, language) },
          counts: Dictionary(uniqueKeysWithValues: tallies.map { ($0.rawValue, $1) }),
          sensors: stored?.sensors ?? 0, unreadAlerts: stored?.unread ?? 0,
          outbox: API.Outbox(
            waiting: stored?.outbox.waiting ?? 0, parked: stored?.outbox.parked ?? 0)))
    }
  }

  /// What the database says; nil when it cannot be read, which `status` must survive.
  private func storedCounts() async -> (sensors: Int, unread: Int, outbox: OutboxStore.Counts)? {
    do throws(Fault) {
      return try await database.read { connection in
        (
          try SensorStore(connection).all().count, try AlertStore(connection).unreadCount(),
          try OutboxStore(connection).counts()
        )
      }
    } catch {
      await board.report(.storage, .down, error)
      return nil
    }
  }
}
