import Domain
import Foundation
import Host
import TestSupport
import Testing
import Web

/// Talks to a live server over its socket, byte by byte where a test needs that.
@Suite("The HTTP server on its socket", .timeLimit(.minutes(1)))
struct ServerTests {
  private func withServer(
    clock: any Clock<Duration> = ContinuousClock(),
    _ answer: @escaping @Sendable (Request) async -> Response,
    _ body: (String) async throws -> Void
  ) async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("control.sock")
    let server = Server(clock: clock, answer: answer)
    try await server.start(path: path, group: nil)
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await body(path))
    } catch {
      outcome = .failure(error)
    }
    await server.stop()
    try outcome.get()
  }

  private static let echo: @Sendable (Request) async -> Response = { request in
    .json(Array("\(request.method) \(request.path) \(request.body.count) \(request.peer)".utf8))
  }

  @Test("answers a request and names its peer")
  func answers() async throws {
    try await withServer(Self.echo) { path in
      let answer = try await RawClient(path).exchange("GET /status HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 200"))
      #expect(answer.contains("GET /status 0 \(NSUserName())"))
    }
  }

  @Test(
    "decodes the path, but never to less than what was asked for",
    arguments: [
      ("/sensors/%00", "/sensors/%00"), ("/a%00b", "/a%00b"), ("/%C3%a9%2F", "/é/"),
      ("/%", "/%"), ("/%4", "/%4"), ("/%zz", "/%zz"),
    ])
  func path(raw: String, decoded: String) async throws {
    try await withServer(Self.echo) { path in
      let answer = try await RawClient(path).exchange("GET \(raw) HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(answer.contains("GET \(decoded) 0 "), "\(answer)")
    }
  }

  @Test("decodes a query in the same way")
  func query() async throws {
    let answer: @Sendable (Request) async -> Response = { request in
      .json(Array((request.query["ssid"] ?? "none").utf8))
    }
    try await withServer(answer) { path in
      let found = try await RawClient(path).exchange(
        "GET /networks?ssid=Caf%C3%A9+2%00x HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(found.hasSuffix("Café 2%00x"), "\(found)")
    }
  }

  @Test("W03: a body in five pieces is gathered across calls")
  func pieces() async throws {
    try await withServer(Self.echo) { path in
      let client = try RawClient(path)
      client.send("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 6000\r\n\r\n")
      for _ in 0..<5 { client.send(String(repeating: "a", count: 1200)) }
      let answer = try await client.receive()
      #expect(answer.contains("POST /x 6000"))
    }
  }

  @Test("W03: a body over the cap is answered by 413, before it is sent when its length is known")
  func tooLarge() async throws {
    try await withServer(Self.echo) { path in
      let known = try await RawClient(path).exchange(
        "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\nExpect: 100-continue\r\n\r\n")
      #expect(known.hasPrefix("HTTP/1.1 413"))
      let chunk = "4000\r\n" + String(repeating: "b", count: 0x4000) + "\r\n"
      let chunked = try await RawClient(path).exchange(
        "POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
          + String(repeating: chunk, count: 5) + "0\r\n\r\n")
      #expect(chunked.contains("413"))
    }
  }

  @Test("W03: a client that sends too much at once still reads why it was refused")
  func tooLargeInFlight() async throws {
    try await withServer(Self.echo) { path in
      let body = String(repeating: "c", count: 100_000)
      let answer = try await RawClient(path).exchange(
        "POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n" + body)
      #expect(answer.hasPrefix("HTTP/1.1 413"))
    }
  }

  @Test("W03: a body without end costs its client the connection")
  func endless() async throws {
    try await withServer(Self.echo) { path in
      let client = try RawClient(path)
      client.send("POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
      let chunk = "4000\r\n" + String(repeating: "d", count: 0x4000) + "\r\n"
      var sent = 0
      while client.send(chunk) { sent += 1 }
      #expect(sent < 200)
    }
  }

  @Test("W03: two hundred idle connections do not keep a request from its answer")
  func idleConnections() async throws {
    try await withServer(Self.echo) { path in
      let idle = try (0..<200).map { _ in try RawClient(path) }
      let answer = try await RawClient(path).exchange("GET /y HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(answer.contains("GET /y"))
      #expect(idle.count == 200)
    }
  }

  @Test("a slow answer holds up no other")
  func concurrency() async throws {
    let gate = AsyncStream.makeStream(of: Void.self)
    let slow: @Sendable (Request) async -> Response = { request in
      if request.path == "/slow" { for await _ in gate.stream { break } }
      return .json(Array(request.path.utf8))
    }
    try await withServer(slow) { path in
      let first = try RawClient(path)
      first.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
      let second = try await RawClient(path).exchange("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(second.contains("/quick"))
      gate.continuation.yield()
      let late = try await first.receive()
      #expect(late.contains("/slow"))
    }
  }

  @Test("a stream's chunks arrive as they come, and the stream is let go when the client leaves")
  func streams() async throws {
    let (chunks, source) = AsyncStream.makeStream(of: [UInt8].self)
    let ended = AsyncStream.makeStream(of: Void.self)
    source.onTermination = { _ in ended.continuation.yield() }
    let answer: @Sendable (Request) async -> Response = { _ in
      Response(status: 200, body: .stream(chunks))
    }
    try await withServer(answer) { path in
      let client = try RawClient(path)
      client.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
      source.yield(Array("event: one\n\n".utf8))
      let one = try await client.receive(until: "event: one")
      #expect(one.contains("200"))
      source.yield(Array("event: two\n\n".utf8))
      let two = try await client.receive(until: "event: two")
      #expect(two.contains("event: two"))
      client.leave()
      // The next chunks meet a closed connection.
      for _ in 0..<3 { source.yield(Array("event: three\n\n".utf8)) }
      for await _ in ended.stream { break }
    }
  }

  @Test("stops with a request under way, and removes its socket")
  func stops() async throws {
    let started = AsyncStream.makeStream(of: Void.self)
    let hanging: @Sendable (Request) async -> Response = { _ in
      started.continuation.yield()
      for await _ in AsyncStream<Void>.makeStream().stream {}
      return .noContent
    }
    var socket = ""
    try await withServer(hanging) { path in
      socket = path
      let client = try RawClient(path)
      client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
      for await _ in started.stream { break }
      client.leave()
    }
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  @Test("a client that left a quiet stream is noticed within a quarter of a minute")
  func heartbeat() async throws {
    let clock = ManualClock()
    let (chunks, source) = AsyncStream.makeStream(of: [UInt8].self)
    let ended = AsyncStream.makeStream(of: Void.self)
    source.onTermination = { _ in ended.continuation.yield() }
    let answer: @Sendable (Request) async -> Response = { _ in
      Response(
        status: 200, headers: [(name: "Content-Type", value: "text/event-stream")],
        body: .stream(chunks))
    }
    try await withServer(clock: clock, answer) { path in
      let client = try RawClient(path)
      client.send("GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
      await clock.sleeper(dueIn: .seconds(15))
      clock.advance(by: .seconds(15))
      let comment = try await client.receive(until: ": still here")
      #expect(comment.contains("200"))
      client.leave()
      await clock.sleeper(dueIn: .seconds(15))
      clock.advance(by: .seconds(15))
      for await _ in ended.stream { break }
    }
  }

  @Test("a stale socket is replaced, a living one is not, and neither is anything else")
  func staleSocket() async throws {
    try await withServer(Self.echo) { path in
      let fault = await #expect(throws: Fault.self) {
        try await Server(answer: Self.echo).start(path: path, group: nil)
      }
      #expect(fault?.code == .alreadyRunning)
      let answer = try await RawClient(path).exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(answer.contains("200"))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o660)
    }
    let directory = try TemporaryDirectory()
    let stale = directory.file("stale.sock")
    RawClient.leaveStaleSocket(at: stale)
    let server = Server(answer: Self.echo)
    try await server.start(path: stale, group: nil)
    let answer = try await RawClient(stale).exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(answer.contains("200"))
    await server.stop()
    let file = directory.file("precious")
    #expect(FileManager.default.createFile(atPath: file, contents: Data("kept".utf8)))
    let fault = await #expect(throws: Fault.self) {
      try await Server(answer: Self.echo).start(path: file, group: nil)
    }
    #expect(fault?.code == .configuration)
    #expect(FileManager.default.contents(atPath: file) == Data("kept".utf8))
  }
  @Test("a group that does not exist is told, and keeps everybody but the owner out")
  func unknownGroup() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("control.sock")
    let log = LogRecorder()
    let server = Server(answer: Self.echo)
    try await LogSink.$current.withValue(log.sink()) {
      try await server.start(path: path, group: "soundgate-nobody")
    }
    await server.stop()
    let warning = try #require(log.all.first { $0.level == .warning })
    #expect(warning.sentence.hasPrefix("[control] group does not exist"))
    #expect(warning["group"] == "soundgate-nobody")
  }
}
