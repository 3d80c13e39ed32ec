import Domain
import Foundation
import Services
import Storage
import TestSupport
import Testing
import Web

@Suite("The API's sensors")
struct SensorRouteTests {
  private let bench: APIBench
  private let path = "/sensors/\(APIBench.chip)"

  init() throws { bench = try APIBench() }

  @Test("are listed with level, last sighting, sparkline and last alert")
  func list() async throws {
    try await bench.enrol()
    try await bench.read([10, 20, 60])
    try await bench.alert(secondsAgo: 12)
    let answer = try await bench.ask("GET", "/sensors", language: "fr")
    let sensor = try #require(try answer.json([API.Sensor].self).first)
    #expect(answer.headers["Content-Type"] == "application/json")
    #expect(sensor.name == "Stairwell")
    #expect(sensor.level == 60)
    #expect(sensor.online)
    #expect(sensor.lastSeen?.timestamp == bench.time.now)
    #expect(sensor.sparkline.count == 30)
    #expect(sensor.sparkline.compactMap(\.self).count == 1)
    #expect(sensor.lastAlert?.text == "Stairwell : Too loud — 91,5 % (> 80 %)")
  }

  @Test("are offline a minute after their last reading, which they keep showing")
  func offline() async throws {
    try await bench.enrol()
    try await bench.read([42])
    let lastSeen = bench.time.now
    bench.time.clock.advance(by: .seconds(60))
    let sensor: API.Sensor = try await bench.ask("GET", path).json()
    #expect(!sensor.online)
    #expect(sensor.level == 42)
    #expect(sensor.lastSeen?.timestamp == lastSeen)
  }

  @Test("are renamed, within the rules for names")
  func rename() async throws {
    try await bench.enrol()
    let answer = try await bench.ask("PATCH", path, #"{"name":"Atelier, 2e étage"}"#)
    #expect(try answer.json(API.Sensor.self).name == "Atelier, 2e étage")
    for name in ["", "  ", "a\\u0007b", String(repeating: "x", count: 65)] {
      let refused = try await bench.ask("PATCH", path, #"{"name":"\#(name)"}"#)
      #expect(refused.status == 400, "\(name)")
      #expect(try refused.failure().code == Code.invalidSensorName.description)
    }
    #expect(try await bench.ask("GET", path).json(API.Sensor.self).name == "Atelier, 2e étage")
  }

  @Test("are removed with their history hidden, or purged")
  func remove() async throws {
    for purge in [false, true] {
      try await bench.enrol()
      let answer = try await bench.ask("DELETE", "\(path)?purge=\(purge)")
      #expect(answer.status == 204 && answer.text.isEmpty)
      #expect(bench.published.all.last == Topic.resetMQTT(APIBench.chip))
      #expect(try await bench.ask("GET", path).status == 404)
      let kept = try await bench.store.read { try SensorStore($0).remembered(APIBench.chip) }
      #expect((kept == nil) == purge)
    }
    #expect(try await bench.ask("DELETE", path).status == 404)
  }

  @Test("are adopted under a name when they were heard, and only then")
  func adopt() async throws {
    let body = #"{"name":"Cour"}"#
    #expect(try await bench.ask("POST", "\(path)/adopt", body).status == 404)
    let sound = try Payload.sound(StatusSample.status(level: 51, uptime: 7))
    await bench.unclaimed.hear(APIBench.chip, sound, at: bench.time.now)
    let heard: [API.UnclaimedSensor] = try await bench.ask("GET", "/sensors/unclaimed").json()
    #expect(heard.map(\.chip) == [APIBench.chip])
    #expect(heard.first?.level == 51)

    let answer = try await bench.ask("POST", "\(path)/adopt", body)
    #expect(answer.status == 201)
    #expect(try answer.json(API.Sensor.self).name == "Cour")
    #expect(
      try await bench.ask("GET", "/sensors/unclaimed").json([API.UnclaimedSensor].self).isEmpty)
    #expect(try await bench.ask("POST", "\(path)/adopt", body).status == 404)
  }

  @Test("are told to forget their broker, never by a retained message")
  func reset() async throws {
    try await bench.enrol()
    #expect(try await bench.ask("POST", "\(path)/reset").status == 204)
    #expect(bench.published.all == ["devices/332211CCBBAA/cmd/reset_mqtt"])
  }

  @Test("that do not answer a reset are told from a broker that cannot be reached")
  func silentReset() async throws {
    let bench = try APIBench(answersReset: false)
    try await bench.enrol()
    async let answer = bench.ask("POST", "\(path)/reset", language: "fr")
    await bench.time.clock.sleeper(dueIn: .seconds(5))
    bench.time.clock.advance(by: .seconds(5))
    let failure = try await answer.failure()
    #expect(try await answer.status == 503)
    #expect(failure.code == Code.sensorSilent.description)
    #expect(failure.message.hasPrefix("La commande est partie, mais le capteur n’a pas répondu."))
  }

  @Test("have a chip id of twelve upper-case digits")
  func badChip() async throws {
    for chip in ["332211ccbbaa", "332211CCBBA", "332211CCBBAA0", "GG2211CCBBAA", "%00"] {
      let answer = try await bench.ask("GET", "/sensors/\(chip)")
      #expect(answer.status == 400, "\(chip)")
      #expect(try answer.failure().code == Code.invalidInput.description)
    }
  }
}

@Suite("The API's readings")
struct ReadingRouteTests {
  private let bench: APIBench
  private let path = "/sensors/\(APIBench.chip)"

  init() throws { bench = try APIBench() }

  @Test("come the newest first, in pages that neither repeat nor skip")
  func paging() async throws {
    try await bench.enrol()
    try await bench.read(Array(1...25))
    var levels: [Int] = []
    var next: String? = ""
    var pages = 0
    while let cursor = next {
      let before = cursor.isEmpty ? "" : "&before=\(cursor)"
      let page: API.Readings = try await bench.ask(
        "GET", "\(path)/readings?limit=10\(before)"
      ).json()
      levels += page.readings.map(\.soundPct)
      next = page.next
      pages += 1
      try #require(pages <= 4)
    }
    #expect(levels == (1...25).reversed())
    #expect(pages == 3)
  }

  @Test("are kept to the span that was asked for")
  func span() async throws {
    try await bench.enrol()
    try await bench.read([1, 2, 3, 4])
    let from = bench.time.now - .seconds(20)
    let page: API.Readings = try await bench.ask(
      "GET", "\(path)/readings?from=\(from)&to=\(bench.time.now)"
    ).json()
    #expect(page.readings.map(\.soundPct) == [3, 2])
    #expect(page.next == nil)
  }

  @Test("are summed up in equal buckets, empty ones without values")
  func levels() async throws {
    try await bench.enrol()
    try await bench.read([10, 30])
    let to = bench.time.now + .seconds(1)
    let levels: [API.Level] = try await bench.ask(
      "GET", "\(path)/levels?from=\(to - .seconds(3600))&to=\(to)&buckets=60"
    ).json()
    #expect(levels.count == 60)
    #expect(levels.map(\.count).reduce(0, +) == 2)
    let filled = try #require(levels.last { $0.count > 0 })
    #expect(filled.max == 30)
    #expect(levels.first?.mean == nil)
    #expect(levels.first?.from.timestamp == to - .seconds(3600))
    for (left, right) in zip(levels, levels.dropFirst()) { #expect(left.to == right.from) }
  }

  @Test(
    "refuse a question that makes no sense, and say which part",
    arguments: [
      ("readings?limit=0", "limit"), ("readings?limit=1001", "limit"),
      ("readings?limit=x", "limit"),
      ("readings?from=yesterday", "from"), ("readings?to=1", "to"), ("readings?before=x", "before"),
      ("levels?buckets=0", "buckets"), ("levels?buckets=501", "buckets"),
      ("levels?from=2026-11-30T07:00:00Z&to=2026-11-30T06:00:00Z", "from"),
    ])
  func refused(question: String, part: String) async throws {
    try await bench.enrol()
    let answer = try await bench.ask("GET", "\(path)/\(question)")
    #expect(answer.status == 400)
    #expect(try answer.failure().message.contains("“\(part)”"))
  }

  @Test("of a sensor that is not there are not found", arguments: ["readings", "levels"])
  func unknown(what: String) async throws {
    #expect(try await bench.ask("GET", "\(path)/\(what)").status == 404)
  }
}
