import Domain
import Foundation
import Storage
import TestSupport
import Testing

/// Measurements, run by `make bench` alone. Each prints its figure, and fails when the figure falls
/// below what a small board still needs: the floor is a tenth of what a two-core PC shows.
@Suite(
  "Benchmarks", .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["SOUNDGATE_BENCH"] != nil))
struct Benchmarks {
  @Test("status payloads decoded in a second")
  func payloads() throws {
    let payload = StatusSample.status(level: 42, uptime: 86)
    let count = 20_000
    let time = try ContinuousClock().measure {
      for _ in 0..<count { _ = try Payload.sound(payload) }
    }
    check("payloads decoded", floor: 2_000, count: count, in: time)
  }

  @Test("transactions committed to the disk in a second, one reading in each")
  func transactions() async throws {
    let store = try TemporaryDatabase()
    let sensor = Sensor(
      id: sensorID(1), name: try SensorName("Bench"), enrolledAt: Timestamp(seconds: 0))
    try await store.write { try SensorStore($0).save(sensor) }
    let count = 500
    let time = try await ContinuousClock().measure {
      for number in 0..<count {
        let reading = Reading(
          sensor: sensor.id, at: Timestamp(seconds: Int64(number)), boot: 1,
          sound: SoundStatus(soundPct: 42, uptime: number))
        _ = try await store.write { try ReadingStore($0).insert(reading) }
      }
    }
    check("transactions committed", floor: 20, count: count, in: time)
  }

  private func check(_ what: String, floor: Double, count: Int, in time: Duration) {
    let rate = Double(count) / (time / .seconds(1))
    print("bench: \(what): \(Int(rate)) a second")
    #expect(rate > floor)
  }
}
