import Domain
import Services
import Storage
import Texts

extension Endpoints {
  func addLiveRoutes(to router: inout Router) {
    on("GET", "/live", in: &router) { request, language in
      let wanted = try request.sensorFilter()
      return .events(await live(only: wanted, language)) { ($0.name, $0) }
    }
  }

  /// One thing that happened.
  enum LiveEvent: Encodable, Sendable {
    case reading(API.Reading)
    case component(API.Component)
    case alert(API.Alert)

    var name: String {
      switch self {
      case .reading: "reading"
      case .component: "component"
      case .alert: "alert"
      }
    }

    func encode(to encoder: any Encoder) throws {
      switch self {
      case .reading(let reading): try reading.encode(to: encoder)
      case .component(let component): try component.encode(to: encoder)
      case .alert(let alert): try alert.encode(to: encoder)
      }
    }
  }

  private func live(
    only sensor: SensorID?, _ language: Language
  ) async -> AsyncStream<LiveEvent> {
    let (events, continuation) = AsyncStream.makeStream(
      of: LiveEvent.self, bufferingPolicy: .bufferingNewest(256))
    let readings = await feed.follow()
    let changes = await board.changes()
    let alerts = await feed.alerts()
    let names = try? await database.read { connection in
      try Self.names(connection)
    }
    let tasks = [
      Task {
        for await reading in readings where sensor == nil || reading.sensor == sensor {
          continuation.yield(.reading(API.Reading(reading)))
        }
      },
      Task {
        for await change in changes {
          continuation.yield(.component(API.Component(change, language)))
        }
      },
      Task {
        for await alert in alerts where sensor == nil || alert.sensor == sensor {
          let name = alert.sensor.flatMap { names?[$0] }
          continuation.yield(.alert(API.Alert(alert, sensorName: name, language)))
        }
      },
    ]
    continuation.onTermination = { _ in for task in tasks { task.cancel() } }
    return events
  }
}
