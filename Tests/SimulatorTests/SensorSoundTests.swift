import Domain
import Foundation
import Simulator
import Testing

@Suite("A simulated sensor in its MQTT session")
struct SensorSoundTests {
  @Test("greets with availability, discovery and status, all retained")
  func greeting() {
    let bench = Bench.online()
    #expect(
      bench.publications.map(\.topic) == [
        "devices/332211CCBBAA/availability", "homeassistant/sensor/332211CCBBAA/sound/config",
        "devices/332211CCBBAA/status", "devices/332211CCBBAA/status",
      ])
    #expect(bench.publications.allSatisfy { $0.retained })
    #expect(bench.publications[0].text == "online")
    #expect(!bench.publications[1].text.contains("\n"))
  }

  @Test("sends the firmware's fields, in range, in less than 384 bytes")
  func payload() throws {
    let bench = Bench.online(sound: SoundScenario(steady: 40))
    let text = try #require(bench.publications.last?.text)
    #expect(text.utf8.count < 384)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(
      Set(json.keys) == [
        "ip", "soundPct", "soundAvg", "soundMin", "soundMax", "windowSec", "dbfsAvg", "dbfsEwma",
        "soundLevel", "uptime", "version", "device_type",
      ])
    #expect(json["ip"] as? String == "192.168.7.20")
    #expect(json["version"] as? String == "2.5.0")
    #expect(json["device_type"] as? String == "SoundSense")
    #expect(abs((json["soundPct"] as? Int ?? 0) - 40) <= 3)
    #expect((json["soundAvg"] as? Int ?? 1) % 3 == 0)
    #expect(json["uptime"] as? Int == 5)
    // 40 % is −39 dBFS: (−39 + 65) × 100 / 65.
    #expect(abs((json["dbfsAvg"] as? Int ?? 0) + 39) <= 2)
  }

  @Test("sends the older firmware's names when told to")
  func olderPayload() throws {
    let bench = Bench.online(traits: SensorTraits(firmware: .early))
    let text = try #require(bench.publications.last?.text)
    #expect(text.contains(#""soundPct_avg":"#) && !text.contains("version"))
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  @Test("logs in and says no level when it does not measure")
  func mute() {
    var bench = Bench.online(traits: SensorTraits(measures: false))
    bench.pass(.seconds(60))
    #expect(bench.measurements.isEmpty && bench.publications.first?.text == "online")
  }

  @Test("sends every ten seconds while the level is steady")
  func period() {
    var bench = Bench.online()
    bench.forget()
    bench.pass(.seconds(60))
    #expect(bench.measurements.count == 6)
    #expect(
      zip(bench.measurements, bench.measurements.dropFirst()).allSatisfy {
        $1 - $0 == .seconds(10)
      })
  }

  @Test("sends within a second or so of a change of ten points")
  func change() {
    var bench = Bench.online()
    bench.pass(.seconds(3))
    bench.forget()
    bench.take(.sound(SoundScenario(steady: 60)))
    bench.pass(.seconds(2))
    #expect(!bench.measurements.isEmpty)
  }

  @Test("sends once a second while it is very loud, thirty times a minute at most")
  func burstAndCap() {
    var bench = Bench.online()
    bench.pass(.seconds(60))
    bench.forget()
    bench.take(.sound(SoundScenario(steady: 95)))
    bench.pass(.seconds(70))
    let gaps = zip(bench.measurements, bench.measurements.dropFirst()).map { $1 - $0 }
    #expect(gaps.filter { $0 == .seconds(1) }.count >= 28)
    // Then nothing until the fixed window of sixty seconds is over.
    #expect(gaps.max()! > .seconds(20) && gaps.max()! <= .seconds(32))
  }

  @Test("follows a scenario from the moment it is given")
  func scenario() throws {
    var bench = Bench.online()
    bench.take(.sound(.quietThenLoud(after: .seconds(15))))
    bench.forget()
    bench.pass(.seconds(14))
    #expect(bench.measurements.count == 1)
    bench.pass(.seconds(5))
    #expect(bench.measurements.count >= 4)
  }

  @Test("answers cmd/reset_mqtt, leaves cleanly, forgets its broker and opens its window")
  func reset() {
    var bench = Bench.online()
    bench.forget()
    bench.take(.message(topic: "devices/332211CCBBAA/cmd/reset_mqtt", payload: []))
    bench.pass(.milliseconds(100))
    #expect(
      bench.effects == [
        .publish(
          topic: "devices/332211CCBBAA/cmd/reset_mqtt/ack", payload: Array("ok".utf8),
          retained: false),
        .hangUp(clean: true), .advertise(true),
      ])
    #expect(bench.sensor.flash.broker == .init())
    #expect(bench.sensor.flash.wifi != nil)
  }

  @Test(
    "restarts on cmd/reboot now, whatever its case, and says it goes offline",
    arguments: [("now", true), (" NOW\n", true), ("later", false), ("", false)])
  func reboot(payload: String, restarts: Bool) {
    var bench = Bench.online()
    bench.forget()
    bench.take(.message(topic: "devices/332211CCBBAA/cmd/reboot", payload: Array(payload.utf8)))
    bench.pass(.milliseconds(200))
    #expect(bench.effects.contains(.rebooted) == restarts)
    #expect(bench.publications.contains { $0.text == "offline" && $0.retained } == restarts)
  }

  @Test("counts its uptime from the restart")
  func uptime() throws {
    var bench = Bench.online()
    bench.pass(.seconds(100))
    bench.take(.message(topic: "devices/332211CCBBAA/cmd/reboot", payload: Array("now".utf8)))
    bench.pass(.seconds(4))
    bench.forget()
    bench.take(.brokerAnswered(0))
    #expect(try #require(bench.publications.last?.text).contains(#""uptime":3,"#))
  }
}
