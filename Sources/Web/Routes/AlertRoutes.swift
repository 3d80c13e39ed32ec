import Domain
import FoundationEssentials
import Storage
import Texts

extension Endpoints {
  func addAlertRoutes(to router: inout Router) {
    on("GET", "/alerts", in: &router) { request, language in
      var filter = AlertFilter()
      filter.sensor = try request.sensorFilter()
      filter.limit = try request.number("limit", in: 1...1000, else: 100)
      if let text = request.query["state"] {
        guard let state = Alert.State(rawValue: text) else {
          let states = Alert.State.allCases.map(\.rawValue).joined(separator: ", ")
          throw Refusal.badQuery("state", Phrase(en: states, fr: states))
        }
        filter.state = state
      }
      let wanted = filter
      let (alerts, names, unread) = try await database.read { connection in
        (
          try AlertStore(connection).list(wanted), try Self.names(connection),
          try AlertStore(connection).unreadCount()
        )
      }
      return try .encoded(
        API.Alerts(
          alerts: alerts.map { alert in
            API.Alert(alert, sensorName: alert.sensor.flatMap { names[$0] }, language)
          }, unread: unread))
    }
    on("POST", "/alerts/read", in: &router) { _, _ in
      _ = try await database.write { try AlertStore($0).markAllRead() }
      return .noContent
    }
    on("GET", "/alerts/{id}", in: &router) { request, language in
      let id = try request.id(of: Self.alert)
      let found = try await database.read { connection in
        try AlertStore(connection).find(id).map { alert in
          (alert, try Self.names(connection), try OutboxStore(connection).find(id))
        }
      }
      guard let (alert, names, message) = found else { throw Refusal.notFound(Self.alert) }
      let delivery: API.Alert.Delivery =
        message.map { $0.parked == nil ? .waiting : .parked } ?? .delivered
      return try .encoded(
        API.Alert(
          alert, sensorName: alert.sensor.flatMap { names[$0] }, delivery: delivery, language))
    }
    on("POST", "/alerts/{id}/read", in: &router) { request, _ in
      let id = try request.id(of: Self.alert)
      let exists = try await database.write { connection in
        let store = AlertStore(connection)
        _ = try store.markRead(id)
        return try store.find(id) != nil
      }
      guard exists else { throw Refusal.notFound(Self.alert) }
      return .noContent
    }
  }

  private static let alert = Phrase(en: "alert", fr: "alerte")

  static func names(_ connection: SQLConnection) throws -> [SensorID: String] {
    Dictionary(
      uniqueKeysWithValues: try SensorStore(connection).all().map { ($0.id, $0.name.text) })
  }
}
