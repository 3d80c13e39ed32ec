import Crypto
import Domain
import Foundation
import Services
import Storage
import TestSupport
import Testing
import Web

@Suite("The API's enrolments", .timeLimit(.minutes(1)))
struct EnrolmentRouteTests {
  private let bench: APIBench

  init() throws { bench = try APIBench() }

  private func begun(by peer: String = "anne") async throws -> API.Enrolment {
    try await bench.ask("POST", "/enrolments", by: peer).json()
  }

  @Test("begin at step 1, belong to who began them, and are listed")
  func begin() async throws {
    let answer = try await bench.ask("POST", "/enrolments", by: "paul")
    #expect(answer.status == 201)
    let begun: API.Enrolment = try answer.json()
    #expect(begun.step == 1 && !begun.completed && begun.state == "scanning")
    #expect(begun.expects == "choose-sensor" && begun.operator == "paul")
    #expect(begun.timeline == nil)
    let listed: [API.Enrolment] = try await bench.ask("GET", "/enrolments").json()
    #expect(listed.map(\.id) == [begun.id])
    let shown: API.Enrolment = try await bench.ask("GET", "/enrolments/\(begun.id)").json()
    #expect(shown.timeline?.isEmpty == false)
    #expect(shown.timeline?.first?.operator == "paul")
  }

  @Test("refuse a step out of turn with 409 and stay where they are")
  func outOfTurn() async throws {
    let begun = try await self.begun()
    for step in 2...5 {
      let answer = try await bench.ask(
        "POST", "/enrolments/\(begun.id)/steps/\(step)/validate", #"{"name":"Hall","ssid":"x"}"#)
      #expect(answer.status == 409, "step \(step): \(answer.text)")
      #expect(try answer.failure().code == Code.outOfTurn.description)
    }
    let shown: API.Enrolment = try await bench.ask("GET", "/enrolments/\(begun.id)").json()
    #expect(shown.step == 1 && shown.state == "scanning")
  }

  @Test("have five steps and no more", arguments: ["0", "6", "-1"])
  func noSuchStep(step: String) async throws {
    let begun = try await self.begun()
    let answer = try await bench.ask(
      "POST", "/enrolments/\(begun.id)/steps/\(step)/validate", "{}")
    #expect(answer.status == 400)
  }

  @Test("can be cancelled once, and stay on record")
  func cancel() async throws {
    let begun = try await self.begun()
    let path = "/enrolments/\(begun.id)"
    let cancelled: API.Enrolment = try await bench.ask("POST", "\(path)/cancel").json()
    #expect(cancelled.ended && !cancelled.completed)
    #expect(cancelled.failure?.code == .cancelled)
    #expect(try await bench.ask("POST", "\(path)/cancel").status == 409)
    #expect(try await bench.ask("GET", path).json(API.Enrolment.self).ended)
  }

  @Test("that are not there are not found", arguments: ["nonsense", UUID().uuidString])
  func unknown(id: String) async throws {
    for (method, rest) in [
      ("GET", ""), ("GET", "/events"), ("POST", "/resume"), ("POST", "/cancel"),
      ("POST", "/steps/1/validate"),
    ] {
      let answer = try await bench.ask(
        method, "/enrolments/\(id)\(rest)", #"{"sensor":"\#(APIBench.chip)"}"#)
      #expect(answer.status == 404, "\(method) \(rest): \(answer.text)")
    }
  }

  @Test("refuse a Wi-Fi key by its rule, without repeating it")
  func keyIsNotRepeated() async throws {
    bench.radio.prepare(
      .success(FakeLink(to: APIBench.chip, at: APIBench.address)), at: APIBench.address)
    let begun = try await self.begun()
    let path = "/enrolments/\(begun.id)"
    try await choose(path)
    let short = try await bench.ask(
      "POST", "\(path)/steps/2/validate", #"{"ssid":"Atelier","key":"marker"}"#, language: "fr")
    #expect(short.status == 400)
    #expect(try short.failure().code == Code.invalidWiFiPassword.description)
    #expect(!short.text.contains("marker"))
    let missing = try await bench.ask("POST", "\(path)/steps/2/validate", #"{"ssid":"Atelier"}"#)
    #expect(missing.status == 400)
    #expect(try await bench.ask("GET", path).json(API.Enrolment.self).state == "awaiting-wifi")
  }

  /// Hears the sensor, chooses it and waits for the link.
  private func choose(_ path: String) async throws {
    await bench.radio.scans.until { !$0.isEmpty }
    bench.radio.hear(
      Sighting(
        address: APIBench.address, name: AdvertisedName(kind: .sound, sensor: APIBench.chip),
        rssi: -60, at: bench.time.now))
    await bench.radioHeard()
    let chosen = try await bench.ask(
      "POST", "\(path)/steps/1/validate", #"{"sensor":"\#(APIBench.chip)"}"#)
    try #require(chosen.status == 200, "\(chosen.text)")
    try await bench.reached("awaiting-wifi", path)
  }
}

@Suite("PD-176's two calls")
struct OnboardingRouteTests {
  private let bench: APIBench

  init() throws { bench = try APIBench() }

  private struct Status: Decodable, Equatable {
    let currentStep: Int
    let completed: Bool

    /// The document's own names.
    enum CodingKeys: String, CodingKey {
      case currentStep = "current_step"
      case completed
    }
  }

  private func status(_ answer: APIBench.Answer) throws -> Status {
    try JSONDecoder().decode(Status.self, from: Data(answer.text.utf8))
  }

  @Test("answer 200 with the current step and whether it is completed")
  func answers() async throws {
    let answer = try await bench.ask("GET", "/onboarding/status")
    #expect(answer.status == 200)
    #expect(try status(answer) == Status(currentStep: 1, completed: false))
  }

  // "l'accès est refusé et l'étape courante est maintenue"
  @Test("PD-176 scenario 3: refuse a skip with 409, and nothing changes")
  func skip() async throws {
    for begun in [false, true] {
      if begun { _ = try await bench.ask("POST", "/enrolments") }
      for step in 2...5 {
        let answer = try await bench.ask(
          "POST", "/onboarding/steps/\(step)/validate", #"{"name":"Hall"}"#)
        #expect(answer.status == 409)
        #expect(try answer.failure().code == Code.outOfTurn.description)
      }
      let after = try status(try await bench.ask("GET", "/onboarding/status"))
      #expect(after == Status(currentStep: 1, completed: false))
      let enrolments: [API.Enrolment] = try await bench.ask("GET", "/enrolments").json()
      #expect(enrolments.count == (begun ? 1 : 0))
    }
  }

  @Test("speak of each operator's own enrolment")
  func ownOnly() async throws {
    let answer = try await bench.ask("POST", "/enrolments", by: "anne")
    let id = try answer.json(API.Enrolment.self).id
    let anne: API.Onboarding = try await bench.ask("GET", "/onboarding/status", by: "anne").json()
    let paul: API.Onboarding = try await bench.ask("GET", "/onboarding/status", by: "paul").json()
    #expect(anne.enrolment == id)
    #expect(paul.enrolment == nil && paul.currentStep == 1)
  }
}

@Suite("The API's saved networks")
struct NetworkRouteTests {
  @Test("are listed without their keys and forgotten by name, whatever is in it")
  func networks() async throws {
    let bench = try APIBench()
    let names = ["Atelier", "a/../b"]
    for (index, name) in names.enumerated() {
      let network = NetworkRecord(
        ssid: name, sealedKey: bench.seal.seal(Secret("marker-key-1234"), for: "network:\(name)"),
        lastUsedAt: bench.time.now + .seconds(index))
      try await bench.store.write { try NetworkStore($0).save(network) }
    }
    let answer = try await bench.ask("GET", "/networks")
    #expect(try answer.json([API.Network].self).map(\.ssid) == ["a/../b", "Atelier"])
    #expect(!answer.text.contains("key") && !answer.text.contains("marker"))
    for name in names {
      #expect(try await bench.ask("DELETE", "/networks?ssid=\(name)").status == 204)
      #expect(try await bench.ask("DELETE", "/networks?ssid=\(name)").status == 404)
    }
    #expect(try await bench.ask("DELETE", "/networks").status == 400)
    #expect(try await bench.ask("GET", "/networks").text == "[]")
  }
}
