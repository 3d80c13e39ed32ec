import Domain
import MQTT
import Simulator
import Testing

@Suite("A simulated sensor at a real broker")
struct SensorUplinkTests {
  private static let base = "devices/332211CCBBAA"

  @Test("logs in over TLS from its own address, clean session, keep-alive 30 s, and greets")
  func greeting() async throws {
    try await SensorBroker.with { broker in
      let watcher = try await broker.watcher()
      let sensor = broker.sensor()
      await sensor.take(.powerUp())
      let all = await watcher.messages { $0.topic == "\(Self.base)/status" }
      // On a busy machine its first attempt may be too slow for it, and its last will is said.
      let heard = all.drop { $0.text == "offline" }
      #expect(heard.first?.topic == "\(Self.base)/availability")
      #expect(heard.first?.text == "online")
      #expect(heard.last?.text.contains(#""ip":"127.77.0.9""#) == true)
      #expect(heard.allSatisfy { $0.qos == 0 && !$0.isRetained })
      #expect(
        await broker.process.lines.contains {
          $0.contains("New client connected from 127.77.0.9:")
            && $0.contains("as ESP32C3-332211CCBBAA (p2, c1, k30, u'332211CCBBAA-1')")
        })
      await sensor.stop()
      await watcher.stop()
    }
  }

  @Test("without power, its last will is said and kept")
  func lastWill() async throws {
    try await SensorBroker.with { broker in
      let watcher = try await broker.watcher()
      let sensor = broker.sensor()
      await sensor.take(.powerUp())
      _ = await watcher.messages { $0.topic == "\(Self.base)/status" }
      await sensor.take(.powerDown)
      let heard = await watcher.messages { $0.topic == "\(Self.base)/availability" }
      #expect(heard.last?.text == "offline")
      await watcher.stop()
      let later = try await broker.watcher()
      let kept = await later.messages { $0.topic == "\(Self.base)/status" }
      #expect(kept.allSatisfy { $0.isRetained })
      await later.stop()
    }
  }

  @Test("cmd/reset_mqtt: acknowledges, leaves cleanly without a word, forgets, advertises")
  func reset() async throws {
    try await SensorBroker.with { broker in
      let watcher = try await broker.watcher()
      let sensor = broker.sensor()
      await sensor.take(.powerUp())
      _ = await watcher.messages { $0.topic == "\(Self.base)/status" }
      try await watcher.publish([], to: "\(Self.base)/cmd/reset_mqtt", retained: false)
      let heard = await watcher.messages { $0.topic == "\(Self.base)/cmd/reset_mqtt/ack" }
      #expect(heard.last?.text == "ok")
      for await deed in await sensor.deeds() where deed.effect == .advertise(true) { break }
      #expect(await broker.process.said("Client ESP32C3-332211CCBBAA disconnected."))
      try await watcher.publish([1], to: "devices/marker", retained: false)
      let rest = await watcher.messages { $0.topic == "devices/marker" }
      #expect(!rest.contains { $0.topic.hasSuffix("/availability") })
      #expect(await sensor.snapshot.flash.broker == .init())
      await sensor.stop()
      await watcher.stop()
    }
  }

  @Test("cmd/reboot: says offline, restarts, and is back with a young uptime")
  func reboot() async throws {
    try await SensorBroker.with { broker in
      let watcher = try await broker.watcher()
      let sensor = broker.sensor()
      await sensor.take(.powerUp())
      _ = await watcher.messages { $0.topic == "\(Self.base)/status" }
      try await watcher.publish(
        Array("now".utf8), to: "\(Self.base)/cmd/reboot", retained: false)
      let down = await watcher.messages { $0.text == "offline" }
      #expect(down.last?.topic == "\(Self.base)/availability")
      let up = await watcher.messages { $0.text == "online" }
      #expect(up.last?.topic == "\(Self.base)/availability")
      await sensor.stop()
      await watcher.stop()
    }
  }

  @Test("three refusals erase its broker")
  func refusals() async throws {
    try await SensorBroker.with(admits: false) { broker in
      let sensor = broker.sensor()
      await sensor.take(.powerUp())
      var dials = 0
      for await deed in await sensor.deeds() {
        if case .dial = deed.effect { dials += 1 }
        if deed.effect == .advertise(true) { break }
      }
      // A dial that timed out between begins the count anew.
      #expect(dials >= 3)
      #expect(await sensor.snapshot.flash.broker == .init())
      await sensor.stop()
    }
  }

  @Test("one that checks certificates ends the handshake with an alert")
  func untrusting() async throws {
    try await SensorBroker.with { broker in
      let sensor = broker.sensor(traits: SensorTraits(verifiesCertificates: true))
      await sensor.take(.powerUp())
      #expect(await broker.process.said("New connection from 127.77.0.9:"))
      #expect(await broker.process.said("alert unknown ca"))
      await sensor.stop()
    }
  }

  @Test("with the broker gone it restarts again and again, and finds it when it is back")
  func brokerDown() async throws {
    try await SensorBroker.with { broker in
      let sensor = broker.sensor()
      await broker.process.stop()
      await sensor.take(.powerUp())
      let deeds = await sensor.deeds()
      for await deed in deeds where deed.effect == .rebooted { break }
      try await broker.process.start()
      #expect(await broker.process.said("as ESP32C3-332211CCBBAA"))
      await sensor.stop()
    }
  }
}
