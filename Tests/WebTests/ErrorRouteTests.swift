import Domain
import Foundation
import Services
import TestSupport
import Testing
import Texts
import Web

@Suite("The API's refusals")
struct ErrorRouteTests {
  private let bench: APIBench

  init() throws { bench = try APIBench() }

  @Test(
    "of a body name the field and never its value",
    arguments: [
      (#"{"sensor":"332211CCBBAA","template":"level","threshold":"marker"}"#, "threshold"),
      (#"{"sensor":"332211CCBBAA","template":7,"threshold":1}"#, "template"),
      (#"{"sensor":"marker","template":"level","threshold":1}"#, "sensor"),
      (#"{"sensor":"332211CCBBAA","template":"level"}"#, "threshold"),
      (#"{"sensor":"332211CCBBAA","template":"level","threshold":1,"cooldown":"a"}"#, "cooldown"),
      (#"{"template":"level","threshold":1}"#, "sensor"),
    ])
  func field(body: String, field: String) async throws {
    let answer = try await bench.ask("POST", "/rules", body)
    #expect(answer.status == 400)
    #expect(try answer.failure().message.contains("“\(field)”"), "\(answer.text)")
    #expect(!answer.text.contains("marker"))
  }

  @Test(
    "of a body say what the field must be",
    arguments: [
      (#""cooldown":1.5"#, "“cooldown” must be a whole number"),
      (#""cooldown":"60""#, "“cooldown” must be a whole number"),
      (#""threshold":true"#, "“threshold” must be a number"),
      (#""enabled":1"#, "“enabled” must be true or false"),
      (#""label":7"#, "“label” must be a text"),
      (#""severity":"loud""#, "“severity” must be one of warn, high, critical"),
      (#""operator":"=""#, "“operator” must be one of >, >=, <, <=, ==, !="),
      (#""threshold":1e999"#, "a number that is too large"),
    ])
  func expectation(field: String, words: String) async throws {
    let answer = try await bench.ask("PATCH", "/rules/\(UUID())", "{\(field)}")
    #expect(answer.status == 400)
    #expect(try answer.failure().message.contains(words), "\(answer.text)")
  }

  @Test("of a whole number that is written with a point are none")
  func wholeNumber() async throws {
    let answer = try await bench.ask("PATCH", "/rules/\(UUID())", #"{"cooldown":60.0}"#)
    #expect(answer.status == 404)
  }

  @Test(
    "say of what is no JSON that it is none",
    arguments: ["{", "[]", "marker", #"{"name":"a"} {"#, "\u{0}", #"{"name":"\ud800"}"#])
  func noJSON(body: String) async throws {
    try await bench.enrol()
    let answer = try await bench.ask("PATCH", "/sensors/\(APIBench.chip)", body)
    #expect(answer.status == 400, "\(answer.text)")
    #expect(try answer.failure().code == Code.invalidInput.description)
    #expect(!answer.text.contains("marker"))
  }

  @Test("speak English or French, by the caller's preference")
  func languages() async throws {
    let id = UUID().uuidString
    let english = try await bench.ask("GET", "/rules/\(id)", language: "de,en;q=0.5").failure()
    let french = try await bench.ask("GET", "/rules/\(id)", language: "fr-CH, en").failure()
    #expect(english.code == french.code)
    #expect(english.message == "there is no such rule")
    #expect(french.message == "introuvable : règle")
  }

  @Test(
    "of an unknown path are 404", arguments: ["/", "/sensor", "/rules/a/b", "/status/x", "/admin"])
  func unknownPath(path: String) async throws {
    let answer = try await bench.ask("GET", path)
    #expect(answer.status == 404)
    #expect(try answer.failure().code == Code.notFound.description)
  }

  @Test(
    "of a method are 405 and name those that are allowed",
    arguments: [
      ("POST", "/status", "GET"), ("PUT", "/rules", "GET, POST"),
      ("POST", "/backend", "DELETE, GET, PUT"), ("GET", "/alerts/x/read", "POST"),
      ("OPTIONS", "/sensors", "GET"),
    ])
  func wrongMethod(method: String, path: String, allowed: String) async throws {
    let answer = try await bench.ask(method, path)
    #expect(answer.status == 405)
    #expect(answer.headers["Allow"] == allowed)
    #expect(try answer.failure().code == Code.invalidInput.description)
  }
}

@Suite("The API's status")
struct StatusRouteTests {
  private let bench: APIBench

  init() throws { bench = try APIBench() }

  @Test("says who the gateway is, how long it runs and what it holds")
  func identity() async throws {
    try await bench.enrol()
    try await bench.alert()
    await bench.board.count(.readingsStored, by: 12)
    bench.time.clock.advance(by: .seconds(90))
    let status: API.Status = try await bench.ask("GET", "/status").json()
    #expect(status.site == "Mairie" && status.version == "0.1.0")
    #expect(status.now.timestamp - status.startedAt.timestamp == .seconds(90))
    #expect(status.sensors == 1 && status.unreadAlerts == 1)
    #expect(status.counts["readingsStored"] == 12)
    #expect(status.level == .ok)
  }

  @Test("says of each part how it does, with code and advice in the caller's language")
  func components() async throws {
    await bench.board.report(.broker, .ok)
    await bench.board.report(.bluetooth, .down, Fault(.adapterBlocked, "hci0"))
    let status: API.Status = try await bench.ask("GET", "/status", language: "fr").json()
    #expect(status.level == .down)
    #expect(status.components.map(\.component) == [.bluetooth, .broker])
    let fault = try #require(status.components.first?.fault)
    #expect(fault.code == .adapterBlocked && fault.detail == "hci0")
    #expect(fault.message == Code.adapterBlocked.words.title.french)
    #expect(fault.advice == Code.adapterBlocked.words.advice.french)
    #expect(status.components.last?.fault == nil)
  }
}
