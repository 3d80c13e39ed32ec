import Domain
import Foundation
import TestSupport
import Testing

@Suite("The JSON of an alert")
struct AlertBodyTests {
  private let id = UUID(uuidString: "1B4E28BA-2FA1-41D2-883F-0016D3CCA427")!

  private func text(_ alert: Alert, name: String? = nil) throws -> String {
    let name = try name.map { try SensorName($0) }
    let body = AlertBody(alert: alert, gateway: "gw", sensorName: name)
    return String(decoding: try body.encoded(), as: UTF8.self)
  }

  @Test("of a rule is these bytes")
  func rule() throws {
    let alert = Alert(
      id: id, kind: .rule, sensor: sensorID(0xAB), rule: id, severity: .high, state: .unread,
      at: Timestamp(milliseconds: 1_796_072_709_042), label: "Bruit \"fort\"", field: .soundPct,
      comparison: .greater, threshold: 79.9, value: 91)
    #expect(
      try text(alert, name: "Été/1")
        == #"{"at":"2026-11-30T21:05:09.042Z","count":null,"criticality":"CRITIQUE","#
        + #""gateway":"gw","id":"1b4e28ba-2fa1-41d2-883f-0016d3cca427","kind":"rule","#
        + #""label":"Bruit \"fort\"","rule":{"field":"soundPct","#
        + #""id":"1b4e28ba-2fa1-41d2-883f-0016d3cca427","label":"Bruit \"fort\"","#
        + #""operator":">","threshold":79.9},"sensor":{"id":"0000000000AB","name":"Été/1"},"#
        + #""severity":"high","unit":"%","value":91,"version":1}"#)
  }

  @Test("of the gateway itself has every key, null where it does not apply")
  func gateway() throws {
    let alert = Alert(
      id: id, kind: .undelivered, sensor: nil, severity: .warn, state: .read,
      at: Timestamp(milliseconds: 0), label: "dropped", count: 3)
    #expect(
      try text(alert)
        == #"{"at":"1970-01-01T00:00:00.000Z","count":3,"criticality":"HAUTE","gateway":"gw","#
        + #""id":"1b4e28ba-2fa1-41d2-883f-0016d3cca427","kind":"undelivered","label":"dropped","#
        + #""rule":null,"sensor":null,"severity":"warn","unit":null,"value":null,"version":1}"#)
  }

  @Test(
    "says the criticality of PD-105",
    arguments: [
      (Severity.warn, "HAUTE", true), (.high, "CRITIQUE", false),
      (.critical, "HAUTE-CRITIQUE", false),
    ])
  func criticality(severity: Severity, word: String, isSilent: Bool) {
    #expect(severity.criticality == word)
    #expect(severity.isSilent == isSilent)
  }
}
