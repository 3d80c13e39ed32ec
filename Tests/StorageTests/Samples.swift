import Domain
import Foundation

/// Values that the storage tests share.
enum Sample {
  static let id = SensorID("A0B1C2D3E4F5")!
  static let other = SensorID("001122334455")!
  static let start = Timestamp(seconds: 1_790_000_000)

  static func sensor(_ id: SensorID = id, name: String = "Atelier") throws -> Sensor {
    Sensor(id: id, name: try SensorName(name), enrolledAt: start, account: "\(id)-1")
  }

  static func reading(
    _ id: SensorID = id, at: Timestamp = start, level: Int = 40, boot: Int = 1, uptime: Int = 60,
    peak: Int? = nil, dbfs: Int? = nil, hash: UInt64 = 0
  ) -> Reading {
    Reading(
      sensor: id, at: at, boot: boot,
      sound: SoundStatus(
        soundPct: level, soundMax: peak, dbfsAvg: dbfs, uptime: uptime, contentHash: hash))
  }

  static func rule(_ id: SensorID = id, label: String = "Trop fort") -> Rule {
    Rule(
      id: UUID(), sensor: id, template: "level-percent", field: .soundPct, comparison: .greater,
      threshold: 80, cooldown: 60, label: label)
  }

  static func alert(
    _ sensor: SensorID? = id, at: Timestamp = start, state: Alert.State = .unread
  ) -> Alert {
    Alert(
      id: UUID(), kind: .rule, sensor: sensor, rule: UUID(), severity: .high, state: state, at: at,
      label: "Trop fort", field: .soundPct, comparison: .greater, threshold: 80, value: 91)
  }

  static func message(createdAt: Timestamp = start, nextAttempt: Timestamp? = nil) -> OutboxMessage
  {
    OutboxMessage(
      id: UUID(), createdAt: createdAt, body: Array(#"{"é":1}"#.utf8),
      nextAttempt: nextAttempt ?? createdAt)
  }

  static func enrolment(sensor: SensorID? = nil, by name: String = "anne") -> EnrolmentRecord {
    EnrolmentRecord(
      id: UUID(), operatorName: name, sensor: sensor, createdAt: start, updatedAt: start)
  }
}
