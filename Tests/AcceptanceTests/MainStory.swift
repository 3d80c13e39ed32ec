import Bluetooth
import Crypto
import Domain
import Foundation
import Simulator
import Storage
import TestSupport
import Testing
import Web

/// What the backend is sent of an alert (`docs/api/alert.md`), as a backend would read it.
struct DeliveredAlert: Decodable {
  struct Sensor: Decodable {
    let id: String
    let name: String
  }

  struct Rule: Decodable {
    let id: String
    let `operator`: String
    let threshold: Double
  }

  let version: Int
  let id: String
  let sensor: Sensor
  let rule: Rule
  let value: Double
}

extension Stage {
  static let secret = "the receiver's secret"

  /// Makes a rule, lets it become loud, and answers the request that the receiver gets.
  func provokeAlert() async throws -> (rule: API.Rule, request: ReceivedRequest) {
    let added = try await run(
      "rules", "add", Self.chip.text, "level", "--threshold", "80", "--cooldown", "60", "--label",
      "Trop fort", "--severity", "high", "--json")
    try #require(added.status == 0, "\(added.words)")
    let rule = try API.decode(API.Rule.self, from: Array(added.output.utf8))
    await fleet.setSound(SoundScenario(steady: 95), around: Self.chip)
    var arrivals = receiver.arrivals.makeAsyncIterator()
    return (rule, try #require(await arrivals.next()))
  }

  /// Opens the database of a daemon that has been stopped.
  nonisolated func database() throws -> Database {
    try Database(path: "\(state)/soundgate.db")
  }

  /// What one query answers, row by row, its column `value` as text.
  nonisolated func rows(_ database: Database, _ sql: String) async throws -> [String] {
    try await database.read { connection in
      try connection.query(sql) { (row: SQLRow) throws(SQLiteError) -> String in
        try row["value"]
      }
    }
  }
}

/// The times at which the four broker settings reached the sensor, in the order they came.
func brokerSettingsWritten(in history: [BlueZEvent]) -> [(SensorCharacteristic, Duration)] {
  let settings: Set<SensorCharacteristic> = [.mqttHost, .mqttPort, .mqttUser, .mqttPassword]
  return history.compactMap { event in
    guard case .written(_, let uuid, _) = event.kind,
      let characteristic = SensorCharacteristic(rawValue: uuid.lowercased()),
      settings.contains(characteristic)
    else { return nil }
    return (characteristic, event.at)
  }
}
