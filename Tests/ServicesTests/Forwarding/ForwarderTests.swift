import Crypto
import Domain
import Foundation
import Host
import Services
import Storage
import TestSupport
import Testing

@Suite("Forwarding alerts", .timeLimit(.minutes(1)))
struct ForwarderTests {
  private let store: TemporaryDatabase
  private let time = ManualTime()
  private let board: StatusBoard
  private let bell = Bell()
  private let key = SealKey.temporary()
  private let secret = Secret("hush")

  init() async throws {
    store = try TemporaryDatabase()
    board = StatusBoard(now: time.wallClock)
    try await set(Destination(url: "https://example.org/hook", secret: secret))
  }

  private func set(_ destination: Destination) async throws {
    try await store.write { [key] in try destination.save(to: $0, key) }
  }

  private func forwarding(
    to courier: FakeCourier, _ body: @Sendable () async throws -> Void
  ) async throws {
    let forwarder = Forwarder(
      database: store.database, courier: courier, sealKey: key, board: board, bell: bell,
      gateway: "gw", userAgent: "soundgate/1", progress: Progress(clock: time.clock),
      now: time.wallClock, clock: time.clock)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await forwarder.run() }
      try await body()
      group.cancelAll()
    }
  }

  /// Messages made one second after another, the first now.
  @discardableResult
  private func append(_ count: Int) async throws -> [UUID] {
    let messages = (0..<count).map { number in
      OutboxMessage(
        id: UUID(), createdAt: time.now + .milliseconds(number),
        body: Array("{\"n\":\(number)}".utf8), nextAttempt: time.now - .milliseconds(count - number)
      )
    }
    try await store.write { connection in
      for message in messages { try OutboxStore(connection).append(message) }
    }
    return messages.map(\.id)
  }

  private func counts() async throws -> OutboxStore.Counts {
    try await store.read { try OutboxStore($0).counts() }
  }

  /// Returns once the loop has nothing to do for exactly so long, or for about so long.
  private func idle(_ span: Duration) async { await time.clock.sleeper(dueIn: span) }

  @Test("posts each alert once, oldest first, with its id and signature")
  func delivery() async throws {
    let courier = FakeCourier()
    let ids = try await append(3)
    try await forwarding(to: courier) { () async throws in
      await idle(.seconds(3_600))
      let requests = await courier.requests
      #expect(requests.map { $0.header("Idempotency-Key") } == ids.map(\.lowercaseText))
      let first = try #require(requests.first)
      #expect(first.method == "POST")
      #expect(first.url == "https://example.org/hook")
      #expect(first.body == Array("{\"n\":0}".utf8))
      #expect(first.header("Content-Type") == "application/json")
      #expect(first.header("User-Agent") == "soundgate/1")
      let signature = try #require(first.header("Soundgate-Signature"))
      #expect(Signature.isValid(signature, body: first.body, secret: secret, at: time.now))
      #expect(try await counts().waiting == 0)
      #expect(await board[.alertsDelivered] == 3)
      #expect(await board[.backend]?.level == .ok)
      // The bell brings the next one at once.
      try await append(1)
      bell.ring()
      await courier.received(4)
    }
  }

  @Test("N03: repeats with the same id and the same bytes until the backend has it")
  func repeats() async throws {
    // "same stable alert id in each retry so the backend can drop doubles"
    let courier = FakeCourier()
    await courier.script(
      .fault(Fault(.backendTimeout)), .status(503), .status(500), .status(429), .status(408))
    let ids = try await append(1)
    try await forwarding(to: courier) { () async throws in
      for attempt in 1...5 {
        await courier.received(attempt)
        await time.clock.sleepers(atLeast: 1)
        #expect(await board[.backend]?.level == .down)
        time.clock.advance(by: .seconds(300))
      }
      await courier.received(6)
      await idle(.seconds(2_100))
      let requests = await courier.requests
      #expect(Set(requests.map { $0.header("Idempotency-Key") }) == [ids[0].lowercaseText])
      #expect(Set(requests.map(\.body)).count == 1)
      #expect(try await counts().waiting == 0)
      #expect(await board[.backend]?.level == .ok)
    }
  }

  @Test("N03: parks what the backend refuses, says so once, and goes on")
  func refused() async throws {
    // "answers 400 to one alert": "4xx (not 408/429) parked and the queue goes on"
    let courier = FakeCourier()
    await courier.script(.status(400), .status(200), .status(400))
    let ids = try await append(4)
    try await forwarding(to: courier) { () async throws in
      await courier.received(4)
      await idle(.seconds(3_600))
      let parked = try await store.read { try OutboxStore($0).parked() }
      #expect(parked.map(\.id) == [ids[0], ids[2]])
      #expect(parked.first?.parked == Fault(.backendRefused, "HTTP 400"))
      #expect(try await counts().waiting == 0)
      // It is told in the alert centre, and not posted to who refuses it.
      let alerts = try await store.read { try AlertStore($0).list() }
      #expect(alerts.map(\.kind) == [.refused])
      #expect(alerts.first?.label == "SG-BACKEND-704 HTTP 400")
      #expect(await courier.requests.count == 4)
    }
  }

  @Test("N03: waits as long as the backend asks")
  func retryAfter() async throws {
    // "answers 429 with Retry-After": "Retry-After obeyed"
    let courier = FakeCourier()
    await courier.script(.status(429, headers: ["retry-after": "120"]))
    try await append(2)
    try await forwarding(to: courier) { () async throws in
      await idle(.seconds(120))
      #expect(await courier.requests.count == 1)
      // A new alert does not break the silence.
      try await append(1)
      bell.ring()
      await time.clock.sleepers(atLeast: 1)
      time.clock.advance(by: .seconds(120))
      await courier.received(4)
      await idle(.seconds(3_480))
      #expect(try await counts().waiting == 0)
    }
  }

  @Test("lets no stuck message hold up the others")
  func stuck() async throws {
    let ids = try await append(3)
    let courier = FakeCourier { [stuck = ids[0].lowercaseText] request in
      .status(request.header("Idempotency-Key") == stuck ? 500 : 200)
    }
    try await forwarding(to: courier) { () async throws in
      await courier.received(3)
      await time.clock.sleepers(atLeast: 1)
      let due = try await store.read { [moment = time.now + .seconds(9_999)] in
        try OutboxStore($0).due(at: moment, limit: 9)
      }
      #expect(due.map(\.id) == [ids[0]])
    }
  }

  @Test("leaves a backend that does not answer alone, whatever rings")
  func silentBackend() async throws {
    let courier = FakeCourier { _ in .fault(Fault(.backendUnreachable)) }
    try await append(50)
    try await forwarding(to: courier) { () async throws in
      await courier.received(1)
      for _ in 0..<10 {
        await time.clock.sleepers(atLeast: 1)
        bell.ring()
      }
      #expect(await courier.requests.count == 1)
      #expect(await board[.backend]?.fault?.code == .backendUnreachable)
      // Another destination is tried at once.
      try await set(Destination(url: "http://127.0.0.1:8080/"))
      bell.ring()
      await courier.received(2)
      #expect(await courier.requests.last?.url == "http://127.0.0.1:8080/")
      #expect(await courier.requests.last?.header("Soundgate-Signature") == nil)
    }
  }

  @Test("keeps everything while no backend is set, and says so")
  func unset() async throws {
    try await store.write { try Destination.clear(in: $0) }
    let courier = FakeCourier()
    try await append(2)
    try await forwarding(to: courier) { () async throws in
      await idle(.seconds(3_600))
      #expect(await board[.backend]?.fault == Fault(.backendUnset))
      #expect(try await counts().waiting == 2)
      try await set(Destination(url: "https://example.org/hook"))
      bell.ring()
      await courier.received(2)
      await idle(.seconds(3_600))
      #expect(await board[.backend]?.level == .ok)
    }
  }

  @Test("gives up after seven days, which is counted and itself an alert")
  func givenUp() async throws {
    let courier = FakeCourier { _ in .fault(Fault(.backendUnreachable)) }
    try await append(3)
    try await forwarding(to: courier) { () async throws in
      await courier.received(1)
      await time.clock.sleepers(atLeast: 1)
      time.clock.advance(by: .seconds(7 * 86_400 + 1))
      await courier.received(2)
      await time.clock.sleepers(atLeast: 1)
      #expect(await board[.alertsDropped] == 3)
      let alert = try #require(try await store.read { try AlertStore($0).list() }.first)
      #expect(alert.kind == .undelivered)
      #expect(alert.count == 3)
      #expect(try await counts().waiting == 1)
      // Its own loss makes no other one.
      time.clock.advance(by: .seconds(8 * 86_400))
      await courier.received(3)
      await time.clock.sleepers(atLeast: 1)
      #expect(await board[.alertsDropped] == 4)
      #expect(try await counts().waiting == 0)
      #expect(try await store.read { try AlertStore($0).list() }.count == 1)
    }
  }

  @Test("N03: survives being killed between sending and writing it down")
  func killed() async throws {
    // "gateway is killed between send and mark": "queue survives restart", with the same id
    let courier = FakeCourier()
    let ids = try await append(1)
    // What was sent and not written down is what is still in the outbox.
    _ = try await courier.send(CourierRequest(url: "", headers: []))
    try await forwarding(to: courier) { () async throws in
      await courier.received(2)
      await idle(.seconds(3_600))
    }
    #expect(await courier.requests.last?.header("Idempotency-Key") == ids[0].lowercaseText)
    try await forwarding(to: courier) { () async throws in
      await idle(.seconds(3_600))
    }
    #expect(await courier.requests.count == 2)
  }

  @Test(
    "posts only to an address that is one",
    arguments: [
      ("ftp://example.org/", InvalidURL.scheme), ("example.org", .scheme), ("", .scheme),
      ("https://", .host), ("https:///path", .host), ("http://:80/", .host),
      ("https://user:pass@example.org/", .credentials), ("https://exa mple.org/", .text),
      ("https://example.org/\n", .text),
    ])
  func addresses(url: String, error: InvalidURL) {
    #expect(throws: error) { try Destination(url: url) }
  }

  @Test("keeps the secret sealed in the store")
  func sealed() async throws {
    let bytes: [UInt8]? = try await store.read {
      try SettingStore($0).value(.destinationSecret)
    }
    #expect(bytes.map { !String(decoding: $0, as: UTF8.self).contains("hush") } == true)
    let loaded = try await store.read { [key] in try Destination.load(from: $0, key) }
    #expect(loaded == (try Destination(url: "https://example.org/hook", secret: secret)))
  }
}
