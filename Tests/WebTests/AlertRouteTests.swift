import Domain
import Foundation
import Storage
import TestSupport
import Testing
import Web

@Suite("The API's alerts")
struct AlertRouteTests {
  private let bench: APIBench

  init() throws { bench = try APIBench() }

  private func alerts(_ query: String = "") async throws -> API.Alerts {
    try await bench.ask("GET", "/alerts\(query)").json()
  }

  @Test("are listed the newest first, with the number unread")
  func list() async throws {
    try await bench.enrol()
    try await bench.alert("old", secondsAgo: 60)
    try await bench.alert("new")
    let alerts = try await self.alerts()
    #expect(alerts.alerts.map(\.label) == ["new", "old"])
    #expect(alerts.unread == 2)
    #expect(alerts.alerts.first?.sensorName == "Stairwell")
    #expect(try await self.alerts("?limit=1").alerts.map(\.label) == ["new"])
    #expect(try await self.alerts("?limit=1").unread == 2)
  }

  @Test("are read one by one or all at once")
  func read() async throws {
    try await bench.enrol()
    let first = try await bench.alert("first", secondsAgo: 2)
    for seconds in [1, 0] { try await bench.alert("other", secondsAgo: seconds) }
    let path = "/alerts/\(first.uuidString.lowercased())"
    #expect(try await bench.ask("POST", "\(path)/read").status == 204)
    #expect(try await bench.ask("POST", "\(path)/read").status == 204)
    #expect(try await bench.ask("GET", path).json(API.Alert.self).state == .read)
    #expect(try await self.alerts("?state=unread").alerts.map(\.label) == ["other", "other"])
    #expect(try await self.alerts("?state=read").unread == 2)

    #expect(try await bench.ask("POST", "/alerts/read").status == 204)
    #expect(try await self.alerts().unread == 0)
    #expect(try await self.alerts("?state=unread").alerts.isEmpty)
  }

  @Test("say where they stand on their way to the backend")
  func delivery() async throws {
    try await bench.enrol()
    let id = try await bench.alert()
    let path = "/alerts/\(id.uuidString)"
    let message = OutboxMessage(
      id: id, createdAt: bench.time.now, body: Array("{}".utf8), nextAttempt: bench.time.now)
    try await bench.store.write { try OutboxStore($0).append(message) }
    #expect(try await bench.ask("GET", path).json(API.Alert.self).delivery == .waiting)
    try await bench.store.write {
      try OutboxStore($0).park(id, because: Fault(.backendRefused, "HTTP 422"))
    }
    #expect(try await bench.ask("GET", path).json(API.Alert.self).delivery == .parked)
    try await bench.store.write { try OutboxStore($0).delivered(id) }
    #expect(try await bench.ask("GET", path).json(API.Alert.self).delivery == .delivered)
  }

  @Test("speak the caller's language")
  func language() async throws {
    try await bench.enrol()
    try await bench.alert()
    let english: API.Alerts = try await bench.ask("GET", "/alerts").json()
    let french: API.Alerts = try await bench.ask("GET", "/alerts", language: "fr-CA,en").json()
    #expect(english.alerts.first?.text == "Stairwell: Too loud — 91.5 % (> 80 %)")
    #expect(french.alerts.first?.text == "Stairwell : Too loud — 91,5 % (> 80 %)")
  }

  @Test("of a rule without a label go by what it watches")
  func title() async throws {
    try await bench.enrol()
    try await bench.alert(nil)
    let alerts: API.Alerts = try await bench.ask("GET", "/alerts", language: "fr").json()
    #expect(alerts.alerts.first?.label == "Niveau %")
    #expect(alerts.alerts.first?.text == "Stairwell : Niveau % — 91,5 % (> 80 %)")
  }

  @Test(
    "refuse a filter that makes no sense",
    arguments: [("state=seen", "state"), ("limit=0", "limit"), ("limit=many", "limit")])
  func refused(query: String, part: String) async throws {
    let answer = try await bench.ask("GET", "/alerts?\(query)")
    #expect(answer.status == 400)
    #expect(try answer.failure().message.contains(part))
  }

  @Test("that are not there are not found", arguments: ["nonsense", UUID().uuidString])
  func unknown(id: String) async throws {
    #expect(try await bench.ask("GET", "/alerts/\(id)").status == 404)
    #expect(try await bench.ask("POST", "/alerts/\(id)/read").status == 404)
  }
}

@Suite("The API's backend")
struct BackendRouteTests {
  private let bench: APIBench
  private static let url = "https://alerts.example.org/hook"
  private static let secret = "marker-webhook-secret"

  init() throws { bench = try APIBench() }

  private func put(_ body: String) async throws -> APIBench.Answer {
    try await bench.ask("PUT", "/backend", body)
  }

  @Test("is set, kept sealed, and its secret is in no answer")
  func set() async throws {
    #expect(try await bench.ask("GET", "/backend").json(API.Backend.self).url == nil)
    let set = try await put(#"{"url":"\#(Self.url)","secret":"\#(Self.secret)"}"#)
    #expect(set.status == 200)
    let shown = try await bench.ask("GET", "/backend")
    for answer in [set, shown, try await bench.ask("GET", "/status")] {
      #expect(!answer.text.contains(Self.secret))
    }
    #expect(try shown.json(API.Backend.self).url == Self.url)
    #expect(try shown.json(API.Backend.self).hasSecret)
    let stored: [UInt8]? = try await bench.store.read {
      try SettingStore($0).value(.destinationSecret)
    }
    let sealed = String(decoding: try #require(stored), as: UTF8.self)
    #expect(!sealed.contains(Self.secret))
  }

  @Test("keeps its secret under a new address, and loses both when it is unset")
  func change() async throws {
    _ = try await put(#"{"url":"\#(Self.url)","secret":"\#(Self.secret)"}"#)
    let moved: API.Backend = try await put(#"{"url":"http://10.0.0.2/hook"}"#).json()
    #expect(moved.url == "http://10.0.0.2/hook" && moved.hasSecret)
    #expect(try await bench.ask("DELETE", "/backend").status == 204)
    let unset: API.Backend = try await bench.ask("GET", "/backend").json()
    #expect(unset.url == nil && !unset.hasSecret)
  }

  @Test(
    "is refused when nothing could be sent there, and the body is not repeated",
    arguments: [
      "ftp://marker.example.org", "https://", "https://marker:word@example.org/",
      "https://marker example.org", "marker", "", "http://[::1/marker", "http://marker:99999/",
    ])
  func refused(url: String) async throws {
    let answer = try await put(#"{"url":"\#(url)"}"#)
    #expect(answer.status == 400)
    #expect(try answer.failure().code == Code.invalidInput.description)
    #expect(!answer.text.contains("marker"))
    #expect(try await bench.ask("GET", "/backend").json(API.Backend.self).url == nil)
  }

  @Test("takes a secret of 16 to 256 bytes", arguments: [15, 257])
  func secretLength(length: Int) async throws {
    let secret = String(repeating: "s", count: length)
    let answer = try await put(#"{"url":"\#(Self.url)","secret":"\#(secret)"}"#)
    #expect(answer.status == 400)
    #expect(try answer.failure().message.contains("“secret”"))
    #expect(!answer.text.contains(secret))
  }

  @Test("sends again what it had refused, when asked to")
  func retry() async throws {
    let id = UUID()
    let now = bench.time.now
    try await bench.store.write { connection in
      let outbox = OutboxStore(connection)
      try outbox.append(
        OutboxMessage(id: id, createdAt: now, body: Array("{}".utf8), nextAttempt: now))
      try outbox.park(id, because: Fault(.backendRefused))
    }
    #expect(try await bench.ask("GET", "/backend").json(API.Backend.self).parked == 1)
    let after: API.Backend = try await bench.ask("POST", "/backend/retry").json()
    #expect(after.parked == 0 && after.waiting == 1)
    #expect(after.oldestAt?.timestamp == now)
  }
}
