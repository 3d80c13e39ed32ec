import Domain
import Simulator

/// A sensor on virtual time: what it does is kept with the moment when it did it.
struct Bench {
  var sensor: SimulatedSensor
  var now: Duration = .zero
  var heard: [(at: Duration, effect: SimulatedSensor.Effect)] = []

  static let home = WiFiWorld([
    .init(ssid: "atelier", key: "correct horse", address: "192.168.7.20")
  ])
  static let broker = SensorFlash.Broker(
    host: "192.168.7.1", port: 8883, user: "332211CCBBAA-1", password: "pw")

  /// Powered, booted, nothing stored unless given.
  init(
    flash: SensorFlash = SensorFlash(), air: WiFiWorld = home,
    traits: SensorTraits = SensorTraits(), sound: SoundScenario = SoundScenario()
  ) {
    sensor = SimulatedSensor(
      id: SensorID("332211CCBBAA")!, address: BluetoothAddress("AA:BB:CC:11:22:35")!,
      traits: traits, flash: flash, sound: sound, air: air)
    take(.powerUp())
    pass(.seconds(2))
  }

  /// A sensor with its window open, connected and subscribed.
  static func connected(
    flash: SensorFlash = SensorFlash(), air: WiFiWorld = home,
    traits: SensorTraits = SensorTraits(), mtu: Int = 185
  ) -> Bench {
    var bench = Bench(flash: flash, air: air, traits: traits)
    bench.take(.press(.milliseconds(200)))
    bench.take(.connect(mtu: mtu))
    bench.take(.subscribe(.wifiStatus, true))
    bench.forget()
    return bench
  }

  /// A sensor that is on Wi-Fi and in an MQTT session.
  static func online(
    air: WiFiWorld = home, sound: SoundScenario = SoundScenario(),
    traits: SensorTraits = SensorTraits()
  ) -> Bench {
    let flash = SensorFlash(
      wifi: .init(ssid: air.networks[0].ssid, key: air.networks[0].key), broker: broker)
    var bench = Bench(flash: flash, air: air, traits: traits, sound: sound)
    bench.pass(.seconds(3))
    bench.take(.brokerAnswered(0))
    return bench
  }

  mutating func take(_ input: SimulatedSensor.Input) {
    heard += sensor.take(input, at: now).map { (now, $0) }
  }

  mutating func write(_ text: String, to characteristic: SensorCharacteristic) {
    take(.write(characteristic, Array(text.utf8)))
  }

  mutating func writeWiFi(_ ssid: String, _ key: String) {
    write(ssid, to: .wifiSSID)
    write(key, to: .wifiKey)
  }

  /// Lets time pass, stopping wherever the sensor wakes.
  mutating func pass(_ span: Duration) {
    let end = now + span
    while let wake = sensor.nextWake, wake <= end {
      now = max(now, wake)
      heard += sensor.advance(to: now).map { (now, $0) }
    }
    now = end
    heard += sensor.advance(to: now).map { (now, $0) }
  }

  mutating func forget() { heard = [] }

  /// The status notifications, in order.
  var statuses: [String] { timedStatuses.map(\.text) }

  var timedStatuses: [(at: Duration, text: String)] {
    heard.compactMap {
      guard case .notify(.wifiStatus, let bytes) = $0.effect else { return nil }
      return ($0.at, String(decoding: bytes, as: UTF8.self))
    }
  }

  var effects: [SimulatedSensor.Effect] { heard.map(\.effect) }

  var publications: [(at: Duration, topic: String, text: String, retained: Bool)] {
    heard.compactMap {
      guard case .publish(let topic, let payload, let retained) = $0.effect else { return nil }
      return ($0.at, topic, String(decoding: payload, as: UTF8.self), retained)
    }
  }

  var measurements: [Duration] {
    publications.filter { $0.topic.hasSuffix("/status") }.map(\.at)
  }

  func read(_ characteristic: SensorCharacteristic) -> String {
    String(decoding: sensor.value(of: characteristic), as: UTF8.self)
  }
}
