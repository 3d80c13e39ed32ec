import Domain
import FoundationEssentials
import Services
import Texts

extension Endpoints {
  func addEnrolmentRoutes(to router: inout Router) {
    on("GET", "/nearby", in: &router) { request, language in
      let seconds = try request.number("seconds", in: 1...300, else: 30)
      let list = await desk.scan(for: .seconds(seconds))
      return .events(list) { ("nearby", API.Nearby($0, language)) }
    }
    on("GET", "/enrolments", in: &router) { _, language in
      try .encoded(try await desk.list().map { API.Enrolment($0, language) })
    }
    on("POST", "/enrolments", in: &router) { request, language in
      try .encoded(API.Enrolment(try await desk.begin(by: request.peer), language), status: 201)
    }
    on("GET", "/enrolments/{id}", in: &router) { request, language in
      let id = try request.id(of: Self.enrolment)
      var enrolment = API.Enrolment(try await desk.show(id), language)
      enrolment.timeline = try await desk.timeline(of: id).map { entry in
        API.Transition(
          at: entry.at, operator: entry.operatorName, step: entry.step, from: entry.from,
          to: entry.to, why: entry.why)
      }
      return try .encoded(enrolment)
    }
    on("GET", "/enrolments/{id}/events", in: &router) { request, language in
      let views = try await desk.updates(of: try request.id(of: Self.enrolment))
      return .events(views) { ("enrolment", API.Enrolment($0, language)) }
    }
    on("POST", "/enrolments/{id}/steps/{n}/validate", in: &router) { request, language in
      let id = try request.id(of: Self.enrolment)
      let step = try request.step()
      let view = try await desk.validate(
        id, step: step, with: try request.input(for: step), by: request.peer)
      return try .encoded(API.Enrolment(view, language))
    }
    on("POST", "/enrolments/{id}/resume", in: &router) { request, language in
      let id = try request.id(of: Self.enrolment)
      return try .encoded(API.Enrolment(try await desk.resume(id, by: request.peer), language))
    }
    on("POST", "/enrolments/{id}/cancel", in: &router) { request, language in
      let id = try request.id(of: Self.enrolment)
      return try .encoded(API.Enrolment(try await desk.cancel(id, by: request.peer), language))
    }
    on("GET", "/onboarding/status", in: &router) { request, _ in
      try .encoded(API.Onboarding(try await desk.onboarding(of: request.peer)))
    }
    on("POST", "/onboarding/steps/{n}/validate", in: &router) { request, _ in
      let step = try request.step()
      let status = try await desk.validateOnboarding(
        step: step, with: try request.input(for: step), by: request.peer)
      return try .encoded(API.Onboarding(status))
    }
    on("GET", "/networks", in: &router) { _, _ in
      try .encoded(try await desk.networks().map(API.Network.init))
    }
    on("DELETE", "/networks", in: &router) { request, _ in
      guard let ssid = request.query["ssid"] else { throw Refusal.missing("ssid") }
      guard try await desk.forget(network: ssid) else {
        throw Refusal.notFound(Phrase(en: "saved network", fr: "réseau enregistré"))
      }
      return .noContent
    }
  }

  private static let enrolment = Phrase(en: "enrolment", fr: "enrôlement")
}

extension Request {
  fileprivate func step() throws(Refusal) -> Int {
    guard let step = Int(parameters["n"] ?? "") else {
      throw .notFound(Phrase(en: "step", fr: "étape"))
    }
    return step
  }

  /// What the body gives for a step. Which fields count depends on the step alone, so a skip is told
  /// as a skip and not as a missing field.
  fileprivate func input(for step: Int) throws(Refusal) -> StepInput {
    let body: API.StepInput = try json()
    switch step {
    case 1:
      let chip = try body.sensor.map { text throws(Refusal) in
        guard let chip = SensorID(text) else { throw Refusal.badChip }
        return chip
      }
      let address = try body.address.map { text throws(Refusal) in
        guard let address = BluetoothAddress(text) else {
          throw Refusal.badQuery(
            "address",
            Phrase(en: "such as AA:BB:CC:DD:EE:FF", fr: "comme AA:BB:CC:DD:EE:FF"))
        }
        return address
      }
      return .sensor(chip, address)
    case 2, 3:
      guard let ssid = body.ssid else { return .acceptance }
      return .wifi(
        ssid: ssid, key: body.key.map { Secret($0) }, remember: body.remember ?? true)
    case 5: return .name(body.name ?? "")
    default: return .acceptance
    }
  }
}
