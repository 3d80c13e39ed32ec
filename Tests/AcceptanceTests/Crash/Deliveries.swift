import Domain
import Foundation
import Simulator

/// What the backend has got, and whatever is wrong with it.
actor Deliveries {
  private(set) var bodies: [String: [UInt8]] = [:]
  private(set) var complaints: [String] = []
  /// How many requests came, repetitions included.
  private(set) var count = 0
  private var idsOfContent: [Content: Set<String>] = [:]

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
    idsOfContent[alert.content, default: []].insert(id)
  }

  /// The alerts that were delivered under more ids than there are things to tell of.
  ///
  /// - Parameter readings: how many stored readings there are of one sensor, moment and level: each is
  ///   told of once by each rule. Anything else is told of once.
  func repetitions(among readings: [CrashRecord.Sound: Int]) -> [String] {
    idsOfContent.compactMap { content, ids in
      let due = content.sound.map { readings[$0, default: 0] } ?? 1
      return ids.count <= due ? nil : "\(content) was delivered as \(ids.sorted()), due \(due)"
    }
  }

  /// What tells one alert from another.
  private struct Content: Hashable {
    let kind: String
    let at: String
    let rule: String?
    let count: Int?
    let sound: CrashRecord.Sound?
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

    var content: Content {
      Content(
        kind: kind, at: at, rule: rule?.id, count: count,
        sound: rule.flatMap { _ in
          guard let moment = Timestamp(at), let sensor, let value else { return nil }
          return CrashRecord.Sound(sensor: sensor.id, at: moment, dbfs: Int(value))
        })
    }
  }
}
