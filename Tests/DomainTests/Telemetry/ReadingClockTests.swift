import Domain
import TestSupport
import Testing

@Suite("A reading clock")
struct ReadingClockTests {
  private let start = Timestamp(seconds: 1_790_000_000)
  private let sensor = sensorID(1)

  private func sound(_ uptime: Int, level: Int = 30) -> SoundStatus {
    SoundStatus(soundPct: level, uptime: uptime, contentHash: UInt64(level * 1_000_000 + uptime))
  }

  private func reading(
    at seconds: Int, uptime: Int, boot: Int = 1, isDated: Bool = true
  ) -> Reading {
    Reading(
      sensor: sensor, at: start + .seconds(seconds), isDated: isDated, boot: boot,
      sound: sound(uptime))
  }

  /// Places a message that arrives so many seconds after the start.
  private func place(
    _ clock: inout ReadingClock, at seconds: Int, uptime: Int,
    _ state: WallClockState = .synchronised
  ) -> ReadingClock.Placement {
    clock.place(sound(uptime), of: sensor, arrivedAt: start + .seconds(seconds), clock: state)
  }

  /// A clock that knows the sensor: a live reading came at second 0 with uptime 100.
  private func knowing() -> ReadingClock {
    var clock = ReadingClock()
    clock.connected(sessionPresent: false, at: start)
    _ = place(&clock, at: 0, uptime: 100)
    return clock
  }

  @Test("dates a live reading by its arrival")
  func live() {
    var clock = ReadingClock()
    clock.connected(sessionPresent: false, at: start)
    #expect(
      place(&clock, at: 5, uptime: 100) == .dated(reading(at: 5, uptime: 100), isLive: true))
    // A message held up for a while on a live connection: still its arrival.
    #expect(
      place(&clock, at: 35, uptime: 110) == .dated(reading(at: 35, uptime: 110), isLive: true))
  }

  @Test("counts a boot whenever the uptime falls")
  func boots() {
    var clock = knowing()
    #expect(
      place(&clock, at: 60, uptime: 3)
        == .dated(reading(at: 60, uptime: 3, boot: 2), isLive: true))
    #expect(
      place(&clock, at: 70, uptime: 13)
        == .dated(reading(at: 70, uptime: 13, boot: 2), isLive: true))
    // After 49.7 days the sensor's counter starts over, which looks the same.
    #expect(
      place(&clock, at: 90, uptime: 0)
        == .dated(reading(at: 90, uptime: 0, boot: 3), isLive: true))
  }

  @Test("M09: knows a second delivery of a reading")
  func repeats() {
    // "publish the identical payload twice, 4 s apart: one history row, one rule evaluation. Two
    // readings with equal level but different time are both kept."
    var clock = knowing()
    #expect(place(&clock, at: 4, uptime: 100) == .repeated)
    #expect(
      place(&clock, at: 4, uptime: 104) == .dated(reading(at: 4, uptime: 104), isLive: true))
    // The same second of uptime, another content: another reading.
    let louder = clock.place(
      sound(104, level: 90), of: sensor, arrivedAt: start + .seconds(5), clock: .synchronised)
    #expect(louder != .repeated)
  }

  @Test("knows a second delivery across a restart of ours, by the keys of the stored readings")
  func repeatsAfterRestart() {
    var keys = RecentKeys(limit: 10)
    keys.insert(reading(at: 0, uptime: 100).key)
    var clock = ReadingClock(
      tracks: [sensor: .init(last: reading(at: 10, uptime: 110))], keys: keys)
    clock.connected(sessionPresent: true, at: start + .seconds(60))
    // It is older than the last one known, and still no new boot.
    #expect(place(&clock, at: 60, uptime: 100) == .repeated)
    #expect(
      place(&clock, at: 60, uptime: 120) == .dated(reading(at: 20, uptime: 120), isLive: false))
  }

  @Test("takes an equal status of another boot for a new reading, once the redeliveries are over")
  func equalStatusOfAnotherBoot() {
    var clock = ReadingClock()
    clock.connected(sessionPresent: false, at: start)
    _ = place(&clock, at: 0, uptime: 3)
    _ = place(&clock, at: 10, uptime: 13)
    clock.connected(sessionPresent: true, at: start + .seconds(60))
    #expect(place(&clock, at: 60, uptime: 13) == .repeated)
    #expect(
      place(&clock, at: 60, uptime: 23) == .dated(reading(at: 20, uptime: 23), isLive: false))
    #expect(
      place(&clock, at: 60, uptime: 3)
        == .waiting(reading(at: 60, uptime: 3, boot: 2, isDated: false)))
  }

  @Test("M10: dates a backlog by uptime, from a live reading before the break")
  func backlog() {
    // "all stored under their own time, in order"
    var clock = knowing()
    let reconnect = 14_400
    clock.connected(sessionPresent: true, at: start + .seconds(reconnect))
    for second in stride(from: 10, to: reconnect - 5, by: 10) {
      #expect(
        place(&clock, at: reconnect, uptime: 100 + second)
          == .dated(reading(at: second, uptime: 100 + second), isLive: false))
    }
    let live = 100 + reconnect + 5
    #expect(
      place(&clock, at: reconnect + 5, uptime: live)
        == .dated(reading(at: reconnect + 5, uptime: live), isLive: true))
  }

  @Test("M10: dates the backlog of a boot we never saw by the live reading after it")
  func backlogOfUnknownBoot() {
    var clock = knowing()
    clock.connected(sessionPresent: true, at: start + .seconds(3_600))
    var waiting: [Reading] = []
    for uptime in stride(from: 5, through: 605, by: 10) {
      guard case .waiting(let reading) = place(&clock, at: 3_600, uptime: uptime) else {
        Issue.record("uptime \(uptime) does not wait")
        return
      }
      #expect(reading.boot == 2)
      #expect(!reading.isDated)
      #expect(clock.date(reading) == nil)
      waiting.append(reading)
    }
    #expect(
      place(&clock, at: 3_608, uptime: 615)
        == .dated(reading(at: 3_608, uptime: 615, boot: 2), isLive: true))
    // The newest waited at most since the reconnect, so it cannot be younger than that.
    #expect(
      waiting.map(clock.date)
        == stride(from: 5, through: 605, by: 10).map {
          reading(at: min(3_608 - 615 + $0, 3_600), uptime: $0, boot: 2)
        })
  }

  @Test("keeps the moment of a reading that is delivered again after a moment")
  func momentaryBreak() {
    var clock = knowing()
    clock.connected(sessionPresent: true, at: start + .seconds(12))
    #expect(
      place(&clock, at: 12, uptime: 110) == .dated(reading(at: 10, uptime: 110), isLive: true))
    #expect(
      place(&clock, at: 22, uptime: 120) == .dated(reading(at: 22, uptime: 120), isLive: true))
  }

  @Test("goes back to arrival when live readings contradict what it reckoned")
  func unseenRestart() {
    // While we were away the sensor restarted and came past its old uptime.
    var clock = knowing()
    clock.connected(sessionPresent: true, at: start + .seconds(3_600))
    #expect(
      place(&clock, at: 3_600, uptime: 400) == .dated(reading(at: 300, uptime: 400), isLive: false))
    #expect(
      place(&clock, at: 3_610, uptime: 410)
        == .dated(reading(at: 3_610, uptime: 410), isLive: true))
    #expect(
      place(&clock, at: 3_620, uptime: 420)
        == .dated(reading(at: 3_620, uptime: 420), isLive: true))
  }

  @Test("expects no backlog of a session that the broker has forgotten")
  func newSession() {
    var clock = knowing()
    clock.connected(sessionPresent: false, at: start + .seconds(3_600))
    #expect(
      place(&clock, at: 3_600, uptime: 200)
        == .dated(reading(at: 3_600, uptime: 200), isLive: true))
  }

  @Test("takes a sensor that speaks up long after our reconnect for live")
  func lateSensor() {
    var clock = ReadingClock()
    clock.connected(sessionPresent: true, at: start)
    #expect(
      place(&clock, at: 301, uptime: 50) == .dated(reading(at: 301, uptime: 50), isLive: true))
  }

  @Test(
    "C01: does not believe a clock that has not been set",
    arguments: [
      WallClockState.synchronised, .unsynchronised, .settling,
    ])
  func unsetClock(state: WallClockState) {
    // "rows written before sync are marked or re-dated, never left as 2020 facts"
    var clock = ReadingClock()
    clock.connected(sessionPresent: false, at: Timestamp(seconds: 0))
    let moment = Timestamp(seconds: 1_577_836_800)
    #expect(
      clock.place(sound(10), of: sensor, arrivedAt: moment, clock: state)
        == .uncertain(
          Reading(sensor: sensor, at: moment, isDated: false, boot: 1, sound: sound(10))))
    // The leap to today; nothing was learnt from the wrong hour.
    #expect(
      place(&clock, at: 0, uptime: 20) == .dated(reading(at: 0, uptime: 20), isLive: true))
    clock.connected(sessionPresent: true, at: start + .seconds(60))
    #expect(
      place(&clock, at: 60, uptime: 40) == .dated(reading(at: 20, uptime: 40), isLive: false))
  }

  @Test("C01: believes a clock without a time source, unless it is behind what was stored")
  func unsynchronised() {
    var clock = ReadingClock(floor: start)
    clock.connected(sessionPresent: false, at: start)
    #expect(
      place(&clock, at: -1, uptime: 10, .unsynchronised)
        == .uncertain(reading(at: -1, uptime: 10, isDated: false)))
    #expect(
      place(&clock, at: 1, uptime: 12, .unsynchronised)
        == .dated(reading(at: 1, uptime: 12), isLive: true))
    #expect(
      place(&clock, at: 3, uptime: 14, .settling)
        == .uncertain(reading(at: 3, uptime: 14, isDated: false)))
    #expect(
      place(&clock, at: -9, uptime: 20) == .dated(reading(at: -9, uptime: 20), isLive: true))
  }

  @Test("remembers as many keys as the broker could deliver again, and no more")
  func bounded() {
    var keys = RecentKeys(limit: 3)
    for uptime in 1...5 { keys.insert(reading(at: 0, uptime: uptime).key) }
    keys.insert(reading(at: 0, uptime: 5, boot: 2).key)
    #expect(keys.count == 3)
    #expect(!keys.contains(reading(at: 0, uptime: 3).key))
    #expect(keys.contains(reading(at: 0, uptime: 4).key))
    #expect(keys.contains(reading(at: 0, uptime: 5).key))
    #expect(keys.contains(reading(at: 0, uptime: 5, boot: 2).key))
    #expect(!keys.contains(reading(at: 0, uptime: 4, boot: 2).key))
    #expect(keys.containsContent(of: reading(at: 0, uptime: 4, boot: 2).key))
  }

  @Test("gives the same readings whatever was delivered twice after a break", arguments: 0..<20)
  func redelivery(seed: UInt64) {
    // The truth: a sensor that sends every ten seconds and restarts now and then, and a gateway that
    // loses the acknowledgements of some batches.
    var generator = SeededGenerator(seed: seed)
    var clock = knowing()
    var uptime = 100
    var now = 0
    var sent = 0
    var placed = 0
    for _ in 0..<30 {
      var batch: [(sound: SoundStatus, at: Int)] = []
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        now += 10
        uptime = Int.random(in: 0..<25, using: &generator) == 0 ? 1 : uptime + 10
        sent += 1
        let sound = SoundStatus(soundPct: 30, uptime: uptime, contentHash: UInt64(sent))
        batch.append((sound, now))
      }
      for (sound, at) in batch {
        let placement = clock.place(sound, of: sensor, arrivedAt: start + .seconds(at))
        placed += placement == .repeated ? 0 : 1
      }
      clock.connected(sessionPresent: true, at: start + .seconds(now))
      for (sound, _) in batch {
        let placement = clock.place(sound, of: sensor, arrivedAt: start + .seconds(now))
        #expect(placement == .repeated)
      }
      now += 2
      uptime += 2
    }
    #expect(placed == sent)
  }
}
