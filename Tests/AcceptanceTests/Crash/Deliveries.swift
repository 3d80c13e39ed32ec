import Foundation
import Simulator

/// What the backend has got, and whatever is wrong with it.
actor Deliveries {
  private(set) var bodies: [String: [UInt8]] = [:]
  private(set) var complaints: [String] = []
  /// How many requests came, repetitions included.
  private(set) var count = 0
  private var idOfContent: [String: String] = [:]

  func take(_ request: ReceivedRequest) {
    count += 1
    guard let id = request.headers["idempotency-key"] else {
      complaints.append("a delivery without an id")
      return
    }
    if let known = bodies[id] {
      if known != request.body { complaints.append("\(id) came with two bodies") }
      return
    }
    bodies[id] = request.body
    guard let alert = try? JSONDecoder().decode(Body.self, from: Data(request.body)) else {
      complaints.append("\(id) is not an alert: \(String(decoding: request.body, as: UTF8.self))")
      return
    }
    if alert.id != id { complaints.append("\(id) has the id \(alert.id) in its body") }
    if let other = idOfContent.updateValue(id, forKey: alert.content) {
      complaints.append("\(alert.content) was delivered as \(other) and as \(id)")
    }
  }

  /// The keys of `docs/api/alert.md` that tell one alert from another.
  private struct Body: Decodable {
    let id: String
    let kind: String
    let at: String
    let sensor: Sensor?
    let rule: Rule?
    let value: Double?
    let count: Int?

    struct Sensor: Decodable { let id: String }
    struct Rule: Decodable { let id: String }

    var content: String {
      [
        kind, at, sensor?.id ?? "-", rule?.id ?? "-", value.map { "\($0)" } ?? "-",
        count.map { "\($0)" } ?? "-",
      ].joined(separator: " ")
    }
  }
}
