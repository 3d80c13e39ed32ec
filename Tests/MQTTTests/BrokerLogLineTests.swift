import Domain
import MQTT
import Testing

@Suite("A line of the broker's log")
struct BrokerLogLineTests {
  @Test(
    "is read as 2.0.11 writes it",
    arguments: [
      ("1796073532: New connection from 192.0.2.7:46124 on port 8883.", .opened(ip: "192.0.2.7")),
      (
        "1796073530: New client connected from 192.0.2.7:46050 as sen sor2 (p2, c1, k60, u'admin').",
        .connected(ip: "192.0.2.7", client: "sen sor2", user: "admin")
      ),
      (
        "1796073530: New client connected from 192.0.2.7:1 as anybody (p2, c1, k60).",
        .connected(ip: "192.0.2.7", client: "anybody", user: nil)
      ),
      (
        "1796073532: Client <unknown> disconnected, not authorised.",
        .refused(ip: nil, client: nil, detail: "Client <unknown> disconnected, not authorised.")
      ),
      (
        "1796073530: OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca",
        .tlsFailed(
          ip: nil, detail: "OpenSSL Error[0]: error:0A000418:SSL routines::tlsv1 alert unknown ca")
      ),
      (
        "1796073530: Client <unknown> disconnected: Protocol error.",
        .closed(client: nil, ip: nil)
      ),
      ("1796073530: Client <unknown> closed its connection.", .closed(client: nil, ip: nil)),
      ("1796073530: Client sen sor2 disconnected.", .closed(client: "sen sor2", ip: nil)),
      (
        "1796073530: Client A has exceeded timeout, disconnecting.",
        .closed(client: "A", ip: nil)
      ),
    ] as [(String, BrokerEvent)])
  func debian12(line: String, event: BrokerEvent) {
    #expect(BrokerLogLine.event(in: line) == event)
  }

  @Test(
    "is read with the client's address and other dates as newer versions write it",
    arguments: [
      (
        "2026-11-30T21:00:01: New client connected from ::ffff:192.0.2.7:46050 as A (p4, c1, k60, u'B').",
        .connected(ip: "192.0.2.7", client: "A", user: "B")
      ),
      (
        "1796073532: New client connected from [2001:db8::1]:46050 as A (p4, c1, k60, u'B').",
        .connected(ip: "2001:db8::1", client: "A", user: "B")
      ),
      (
        "1796073532: Client <unknown> [192.0.2.7:46124] disconnected: not authorised.",
        .refused(
          ip: "192.0.2.7", client: nil,
          detail: "Client <unknown> [192.0.2.7:46124] disconnected: not authorised.")
      ),
      (
        "1796073532: Client ESP32C3-A disconnected, not authorised.",
        .refused(
          ip: nil, client: "ESP32C3-A", detail: "Client ESP32C3-A disconnected, not authorised.")
      ),
      (
        "Client A [192.0.2.7:46124] closed its connection.",
        .closed(client: "A", ip: "192.0.2.7")
      ),
    ] as [(String, BrokerEvent)])
  func newer(line: String, event: BrokerEvent) {
    #expect(BrokerLogLine.event(in: line) == event)
  }

  @Test(
    "says nothing when it is about something else",
    arguments: [
      "", "1796073529: mosquitto version 2.0.11 running", "Client ", "New connection from ",
      "1796073529: Opening ipv4 listen socket on port 8883.",
      "1796073531: Client s6 already connected, closing old connection.",
    ])
  func other(line: String) {
    #expect(BrokerLogLine.event(in: line) == nil)
  }

  @Test("cannot be forged by a client id that looks like one")
  func forged() {
    let line =
      "1: New client connected from 192.0.2.9:1 as x (p2, c1, k60, u'A-1'). (p2, c1, k60, u'evil')."
    #expect(
      BrokerLogLine.event(in: line)
        == .connected(
          ip: "192.0.2.9", client: "x (p2, c1, k60, u'A-1').", user: "evil"))
  }
}
