import Domain
import Foundation
import Glibc
import HTTPClient
import TestSupport
import Testing

@Suite("The control channel", .timeLimit(.minutes(1)))
struct ControlChannelTests {
  @Test("asks over the socket and brings any answer back whole")
  func asks() async throws {
    let daemon = try ScriptedDaemon([
      "HTTP/1.1 409 Conflict\r\nContent-Length: 5\r\nX-Y: z\r\n\r\nhello"
    ])
    let answer = try await ControlChannel(socket: daemon.path).send(
      CourierRequest(url: "/sensors/a?b=c", body: Array("{}".utf8)))
    #expect(answer.status == 409)
    #expect(answer.headers["x-y"] == "z")
    #expect(answer.body == Array("hello".utf8))
    #expect(daemon.requests.first?.hasPrefix("POST /sensors/a?b=c HTTP/1.1\r\n") == true)
  }

  @Test("says that no daemon runs when there is no socket, or a stale one")
  func isAbsent() async throws {
    let daemon = try ScriptedDaemon([])
    daemon.leave()
    for path in ["/nowhere/control.sock", daemon.path] {
      let fault = await #expect(throws: Fault.self) {
        try await ControlChannel(socket: path).send(CourierRequest(method: "GET", url: "/"))
      }
      #expect(fault?.code == .daemonUnreachable)
      #expect(fault?.detail.hasPrefix(path) == true, "\(String(describing: fault))")
    }
  }

  @Test("says that this user may not ask", .enabled(if: getuid() != 0))
  func isDenied() async throws {
    let daemon = try ScriptedDaemon([])
    chmod(daemon.path, 0)
    let fault = await #expect(throws: Fault.self) {
      try await ControlChannel(socket: daemon.path).send(CourierRequest(method: "GET", url: "/"))
    }
    #expect(fault?.code == .socketDenied)
  }

  @Test("says that the daemon went away in the middle of an answer")
  func isLost() async throws {
    let daemon = try ScriptedDaemon(["HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhal"])
    let fault = await #expect(throws: Fault.self) {
      try await ControlChannel(socket: daemon.path).send(CourierRequest(method: "GET", url: "/"))
    }
    #expect(fault?.code == .daemonUnreachable)
  }

  @Test("brings a stream's lines as they come, whatever the pieces")
  func streams() async throws {
    let daemon = try ScriptedDaemon([
      "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nevent: rea", "ding\ndata: é", "\n\nevent: end\n",
    ])
    let answer = try await ControlChannel(socket: daemon.path).lines(
      CourierRequest(method: "GET", url: "/live"))
    guard case .lines(let lines) = answer else {
      Issue.record("refused")
      return
    }
    var all: [String] = []
    for try await line in lines { all.append(line) }
    #expect(all == ["event: reading", "data: é", "", "event: end"])
  }

  @Test("brings a refusal instead of a stream whole")
  func isRefused() async throws {
    let daemon = try ScriptedDaemon(["HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n{}"])
    let answer = try await ControlChannel(socket: daemon.path).lines(
      CourierRequest(method: "GET", url: "/live"))
    guard case .refused(let response) = answer else {
      Issue.record("taken")
      return
    }
    #expect(response.status == 404)
    #expect(response.body == Array("{}".utf8))
  }

  @Test("hangs up when nobody reads a stream any more")
  func isDropped() async throws {
    let daemon = try ScriptedDaemon(
      ["HTTP/1.1 200 OK\r\n\r\ndata: 1\n"], staysOpen: true)
    let channel = ControlChannel(socket: daemon.path)
    let task = Task {
      guard case .lines(let lines) = try await channel.lines(.init(method: "GET", url: "/live"))
      else { return }
      for try await _ in lines { break }
    }
    try await task.value
    await daemon.clientLeft()
  }

  @Test(
    "gives up a stream on which the daemon says nothing any more",
    arguments: [[], ["HTTP/1.1 200 OK\r\n\r\ndata: 1\n"]])
  func isHung(pieces: [String]) async throws {
    let daemon = try ScriptedDaemon(pieces, staysOpen: true)
    let fault = await #expect(throws: Fault.self) {
      let answer = try await ControlChannel(socket: daemon.path).lines(
        CourierRequest(method: "GET", url: "/live"), silentFor: .seconds(2))
      guard case .lines(let lines) = answer else { return }
      for try await _ in lines {}
    }
    #expect(fault?.code == .daemonUnreachable)
    await daemon.clientLeft()
  }

  @Test(
    "gives up a daemon that takes the request and never answers, or never to the end",
    arguments: [[], ["HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhal"]])
  func isSilent(pieces: [String]) async throws {
    let daemon = try ScriptedDaemon(pieces, staysOpen: true)
    let fault = await #expect(throws: Fault.self) {
      try await ControlChannel(socket: daemon.path).send(
        CourierRequest(method: "GET", url: "/status"), within: .milliseconds(50))
    }
    #expect(fault?.code == .daemonUnreachable)
    #expect(fault?.detail == "\(daemon.path): no answer within 0.05 seconds")
    await daemon.clientLeft()
  }

  @Test("lets go at once when it is cancelled")
  func isCancelled() async throws {
    let daemon = try ScriptedDaemon([], staysOpen: true)
    let channel = ControlChannel(socket: daemon.path)
    let task = Task { try await channel.send(CourierRequest(method: "GET", url: "/scan")) }
    await daemon.asked()
    task.cancel()
    let fault = await #expect(throws: Fault.self) { try await task.value }
    #expect(fault?.code == .cancelled)
    await daemon.clientLeft()
  }
}
