import Domain
import Foundation

/// A person who enrols one sensor, undeterred by a daemon that dies under them.
struct Enroller: Sendable {
  let api: ControlSocket
  let sensor: SensorID
  let ssid: String
  let key: String

  /// An enrolment, as far as it matters here.
  struct View: Decodable, Sendable {
    let id: String
    let step: Int
    let state: String
    let expects: String
    let completed: Bool
    let ended: Bool
    let sensor: String?
  }

  private struct Nearby: Decodable, Sendable {
    struct Entry: Decodable, Sendable { let chip: String }
    let sensors: [Entry]
  }

  func all() async throws -> [View] { try await api.get("/enrolments") }

  /// Goes on with what is unfinished, begins when nothing is; returns when it has ended.
  ///
  /// - Throws: when the daemon leaves.
  func enrol() async throws {
    let views = try await all()
    if views.contains(where: { $0.completed }) { return }
    let view: View
    if let unfinished = views.first(where: { !$0.ended }) {
      view = unfinished
    } else {
      view = try await api.post("/enrolments")
    }
    for try await now in try await api.events("/enrolments/\(view.id)/events", as: View.self) {
      if now.ended { return }
      do {
        try await act(on: now)
      } catch is ControlSocket.Refused {
        // It has moved on meanwhile, or the sensor is not heard yet; the next event tells.
      }
    }
  }

  private func act(on view: View) async throws {
    switch view.expects {
    case "choose-sensor":
      for try await list in try await api.events("/nearby?seconds=60", as: Nearby.self)
      where list.sensors.contains(where: { $0.chip == sensor.description }) {
        break
      }
      try await validate(view, ["sensor": sensor.description])
    case "give-wifi": try await validate(view, ["ssid": ssid, "key": key])
    case "accept-wifi", "accept-reading": try await validate(view, [:])
    case "name": try await validate(view, ["name": "Stairwell"])
    case "resume": try await api.send("POST", "/enrolments/\(view.id)/resume", [:])
    default: break
    }
  }

  private func validate(_ view: View, _ input: [String: String]) async throws {
    try await api.send("POST", "/enrolments/\(view.id)/steps/\(view.step)/validate", input)
  }
}
