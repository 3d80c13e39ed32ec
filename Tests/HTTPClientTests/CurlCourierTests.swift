import Domain
import HTTPClient
import Simulator
import TestSupport
import Testing

@Suite("The courier", .timeLimit(.minutes(1)))
struct CurlCourierTests {
  private let courier = CurlCourier(userAgent: "soundgate/test", limits: Self.limits)

  /// Short enough for a test that waits for one of them to run out.
  private static var limits: CurlCourier.Limits {
    var limits = CurlCourier.Limits()
    limits.total = .milliseconds(400)
    return limits
  }

  @Test("sends method, headers and body as they are, and brings the answer back")
  func sends() async throws {
    let receiver = try Receiver([
      .status(202, headers: [(name: "Retry-After", value: "7")], body: "thanks")
    ])
    await receiver.start()
    let body = Array(#"{"a":"é"}"#.utf8) + [0, 255]
    let answer = try await courier.send(
      CourierRequest(
        url: "\(receiver.url)/hook?a=b",
        headers: [
          (name: "Content-Type", value: "application/json"), (name: "Idempotency-Key", value: "1"),
        ], body: body))
    #expect(answer.status == 202)
    #expect(answer.headers["retry-after"] == "7")
    #expect(answer.body == Array("thanks".utf8))
    let request = try #require(await receiver.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/hook?a=b")
    #expect(request.body == body)
    #expect(request.headers["content-type"] == "application/json")
    #expect(request.headers["idempotency-key"] == "1")
    #expect(request.headers["user-agent"] == "soundgate/test")
    #expect(request.headers["expect"] == nil)
    await receiver.stop()
  }

  @Test("takes any status for an answer", arguments: [204, 301, 400, 404, 429, 500, 503])
  func answers(status: Int) async throws {
    let receiver = try Receiver(
      [.status(status, headers: [(name: "Location", value: "http://127.0.0.1:1/")])])
    await receiver.start()
    #expect(try await courier.send(CourierRequest(url: receiver.url)).status == status)
    #expect(await receiver.requests.count == 1)
    await receiver.stop()
  }

  @Test("keeps no more of a body than 64 KiB")
  func isCapped() async throws {
    let receiver = try Receiver([.status(200, body: String(repeating: "x", count: 70_000))])
    await receiver.start()
    let answer = try await courier.send(CourierRequest(method: "GET", url: receiver.url))
    #expect(answer.status == 200)
    #expect(answer.body.count == 65_536)
    #expect(try await courier.send(CourierRequest(url: receiver.url)).status == 200)
    await receiver.stop()
  }

  @Test("says that nobody is there")
  func isRefused() async throws {
    let receiver = try Receiver()
    await receiver.stop()
    await expect(.backendUnreachable, of: CourierRequest(url: receiver.url))
  }

  @Test("says that a name is unknown")
  func isUnknown() async {
    await expect(.backendUnreachable, of: CourierRequest(url: "http://gate.invalid/"))
  }

  @Test("says that the backend hung up, and reaches it again afterwards")
  func hangsUp() async throws {
    let receiver = try Receiver([.status(200), .hangUp])
    await receiver.start()
    #expect(try await courier.send(CourierRequest(url: receiver.url)).status == 200)
    // On a reused connection libcurl tries once more on a new one: a server may close an idle one.
    await receiver.answer([.hangUp, .hangUp])
    await expect(.backendUnreachable, of: CourierRequest(url: receiver.url))
    await receiver.answer([])
    #expect(try await courier.send(CourierRequest(url: receiver.url)).status == 200)
    await receiver.stop()
  }

  @Test("gives up a backend that takes a request and never answers")
  func isStalled() async throws {
    let receiver = try Receiver(then: .stall)
    await receiver.start()
    await expect(.backendTimeout, of: CourierRequest(url: receiver.url))
    await receiver.stop()
  }

  @Test("lets go at once when it is cancelled")
  func isCancelled() async throws {
    let patient = CurlCourier(userAgent: "soundgate/test")
    let receiver = try Receiver(then: .stall)
    await receiver.start()
    let task = Task { try await patient.send(CourierRequest(url: receiver.url)) }
    for await _ in receiver.arrivals { break }
    task.cancel()
    let fault = await #expect(throws: Fault.self) { try await task.value }
    #expect(fault?.code == .cancelled)
    await receiver.answer([])
    #expect(try await patient.send(CourierRequest(url: receiver.url)).status == 200)
    await receiver.stop()
  }

  @Test("speaks nothing but HTTP", arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "no url"])
  func isHTTP(url: String) async {
    await expect(.backendUnreachable, of: CourierRequest(url: url))
  }

  @Test("puts no header after another's end")
  func isNotSplit() async throws {
    await expect(
      .invalidInput,
      of: CourierRequest(
        url: "http://127.0.0.1:1/", headers: [(name: "X", value: "secret\r\nHost: other")]))
  }

  private func expect(_ code: Code, of request: CourierRequest) async {
    let fault = await #expect(throws: Fault.self) { try await courier.send(request) }
    #expect(fault?.code == code, "\(String(describing: fault))")
    #expect(fault?.detail.isEmpty == false)
    #expect(fault?.detail.contains("secret") == false)
  }
}
