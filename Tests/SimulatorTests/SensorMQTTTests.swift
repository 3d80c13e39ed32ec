import Domain
import Simulator
import Testing

@Suite("A simulated sensor given its broker")
struct SensorMQTTTests {
  /// On Wi-Fi, connected over Bluetooth.
  static func onWiFi(traits: SensorTraits = SensorTraits()) -> Bench {
    var bench = Bench.connected(traits: traits)
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(5))
    bench.forget()
    return bench
  }

  static func writeBroker(
    _ bench: inout Bench, gap: Duration = .milliseconds(40), port: String = "8883"
  ) {
    let values = [
      ("192.168.7.1", SensorCharacteristic.mqttHost), (port, .mqttPort),
      ("332211CCBBAA-1", .mqttUser), ("pw", .mqttPassword),
    ]
    for (text, characteristic) in values {
      bench.write(text, to: characteristic)
      if characteristic != .mqttPassword { bench.pass(gap) }
    }
  }

  @Test(
    "saves the four values 300 ms after the last, switches its radio off without a word, and dials")
  func teardown() {
    var bench = Self.onWiFi()
    Self.writeBroker(&bench)
    let last = bench.now
    bench.forget()
    bench.pass(.milliseconds(1000))
    #expect(bench.effects == [.goSilent, .dial(Bench.broker)])
    #expect(bench.heard[0].at == last + .milliseconds(300))
    #expect(bench.heard[1].at == last + .milliseconds(800))
    #expect(bench.sensor.flash.broker == Bench.broker)
  }

  @Test("keeps the partial set when a write comes later than 300 ms")
  func partialSet() {
    var bench = Self.onWiFi()
    Self.writeBroker(&bench, gap: .milliseconds(301))
    bench.pass(.seconds(30))
    #expect(bench.sensor.flash.broker == .init(host: "192.168.7.1"))
    #expect(bench.effects.filter { $0 == .goSilent }.count == 1)
    #expect(!bench.effects.contains(.dial(Bench.broker)))
  }

  @Test("keeps all four at gaps just under 300 ms")
  func slowSet() {
    var bench = Self.onWiFi()
    Self.writeBroker(&bench, gap: .milliseconds(299))
    bench.pass(.seconds(1))
    #expect(bench.sensor.flash.broker == Bench.broker)
  }

  @Test(
    "acknowledges each value as staged and ignores a senseless port",
    arguments: ["0", "65536", "mqtt", ""])
  func ports(text: String) {
    var bench = Self.onWiFi()
    bench.write(text, to: .mqttPort)
    #expect(bench.statuses == ["MQTT reçu (staging)"])
    bench.pass(.seconds(1))
    #expect(bench.sensor.flash.broker.port == 0)
    #expect(bench.effects.contains(.goSilent))
  }

  @Test("once released, its radio cannot be opened: thirty seconds of silence, then a restart")
  func irreversible() {
    var bench = Self.onWiFi()
    Self.writeBroker(&bench)
    bench.pass(.seconds(1))
    bench.take(.brokerAnswered(0))
    bench.forget()
    bench.take(.press(.milliseconds(200)))
    let pressed = bench.now
    bench.pass(.seconds(30))
    #expect(bench.effects == [.hangUp(clean: false), .rebooted])
    #expect(bench.heard[0].at == pressed + .seconds(30))
    bench.pass(.seconds(4))
    #expect(bench.effects.last == .dial(Bench.broker))
    bench.take(.brokerAnswered(0))
    bench.take(.brokerLost)
    bench.take(.press(.milliseconds(200)))
    #expect(bench.effects.last == .advertise(true))
  }

  @Test("never speaks MQTT on another port, and restarts at the fifth failure")
  func otherPort() {
    var bench = Self.onWiFi()
    Self.writeBroker(&bench, port: "1883")
    bench.pass(.seconds(10))
    #expect(bench.effects.filter { $0 == .rebooted }.count == 1)
    #expect(!bench.effects.contains { if case .dial = $0 { true } else { false } })
  }

  @Test("tries again 0.5, 1, 2 and 4 s after the start of a failed attempt, then restarts")
  func retries() {
    var bench = Self.onWiFi()
    Self.writeBroker(&bench)
    var starts: [Duration] = []
    bench.pass(.milliseconds(800))
    for _ in 0..<4 {
      starts.append(bench.now)
      bench.take(.brokerAnswered(-2))
      let next = bench.sensor.nextWake.map { _ in bench.now }
      #expect(next != nil)
      bench.forget()
      while !bench.effects.contains(.dial(Bench.broker)) { bench.pass(.milliseconds(10)) }
    }
    starts.append(bench.now)
    #expect(
      zip(starts, starts.dropFirst()).map { $1 - $0 } == [
        .milliseconds(500), .seconds(1), .seconds(2), .seconds(4),
      ])
    bench.take(.brokerAnswered(-2))
    #expect(bench.effects.last == .rebooted)
  }

  @Test(
    "erases its MQTT settings at the third refusal, keeps Wi-Fi, and asks for the radio",
    arguments: [4, 5])
  func refusals(rc: Int) {
    var bench = Bench.online()
    bench.take(.brokerLost)
    for _ in 0..<2 {
      bench.pass(.seconds(5))
      bench.take(.brokerAnswered(rc))
    }
    bench.pass(.seconds(5))
    bench.take(.brokerAnswered(0))
    bench.take(.brokerLost)
    bench.pass(.seconds(5))
    #expect(bench.sensor.flash.broker == Bench.broker)
    bench.forget()
    bench.take(.brokerAnswered(rc))
    #expect(bench.effects == [.advertise(true)])
    #expect(bench.sensor.flash.broker == .init())
    #expect(bench.sensor.flash.wifi != nil)
  }

  @Test("another kind of failure between two refusals begins the count anew")
  func refusalsReset() {
    var bench = Bench.online()
    bench.take(.brokerLost)
    for rc in [5, 5, 3, 5] {
      bench.pass(.seconds(5))
      bench.take(.brokerAnswered(rc))
    }
    #expect(bench.sensor.flash.broker == Bench.broker)
  }

  @Test(
    "after an enrolment in the same uptime, the third refusal ends in a restart with the radio off")
  func refusalsAfterRelease() {
    var bench = Self.onWiFi()
    Self.writeBroker(&bench)
    for _ in 0..<3 {
      bench.pass(.seconds(4))
      bench.take(.brokerAnswered(5))
    }
    bench.forget()
    bench.pass(.seconds(120))
    #expect(bench.effects == [.rebooted])
    #expect(bench.sensor.flash.broker == .init())
  }

  @Test("does not try TLS while its Bluetooth stack is loaded")
  func memory() {
    var bench = Bench.connected(flash: SensorFlash(broker: Bench.broker))
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(60))
    #expect(!bench.effects.contains(.dial(Bench.broker)))

    let roomy = SensorTraits(hasMemoryForBoth: true)
    bench = Bench.connected(flash: SensorFlash(broker: Bench.broker), traits: roomy)
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(4))
    bench.take(.brokerAnswered(0))
    #expect(bench.statuses.last == "MQTT connecté: 192.168.7.1:8883")
  }

  @Test(
    "a session being opened holds the loop up: what was asked meanwhile comes after its outcome")
  func blockedLoop() {
    let roomy = SensorTraits(hasMemoryForBoth: true)
    var bench = Bench.connected(flash: SensorFlash(broker: Bench.broker), traits: roomy)
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(4))
    #expect(bench.effects.last == .dial(Bench.broker))
    bench.forget()
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.milliseconds(9300))
    #expect(
      bench.statuses.prefix(4) == ["SSID reçu", "PASS reçu", "MQTT échec rc=-4", "Connexion..."])
  }

  @Test("the one deferred status is overwritten by the next while the loop stands still")
  func singleSlot() {
    let stored = SensorFlash(wifi: .init(ssid: "atelier", key: "correct horse"))
    var bench = Bench(flash: stored)
    bench.take(.powerDown)
    bench.take(.powerUp(holdingButton: true))
    bench.pass(.milliseconds(2600))
    bench.take(.connect())
    bench.take(.subscribe(.wifiStatus, true))
    bench.pass(.seconds(5))
    #expect(bench.statuses == ["Connecté: 192.168.7.20"])
  }

  @Test("stores a damaged value when told to")
  func garbled() {
    var bench = Self.onWiFi(traits: SensorTraits(garbled: [.mqttPassword]))
    Self.writeBroker(&bench)
    bench.pass(.seconds(1))
    #expect(bench.sensor.flash.broker.password == "pw?")
  }

  @Test("gives up a dial that nobody answers after ten seconds, and hangs up")
  func silentBroker() {
    var bench = Self.onWiFi()
    Self.writeBroker(&bench)
    bench.pass(.milliseconds(10_900))
    #expect(
      bench.effects.suffix(3) == [.dial(Bench.broker), .hangUp(clean: false), .dial(Bench.broker)])
  }

  @Test("finds no broker behind a captive portal, with Wi-Fi up")
  func captivePortal() {
    let air = WiFiWorld([.init(ssid: "x", key: "12345678", reachesBroker: false)])
    var bench = Bench(
      flash: SensorFlash(wifi: .init(ssid: "x", key: "12345678"), broker: Bench.broker), air: air)
    bench.pass(.seconds(5))
    #expect(!bench.effects.contains(.dial(Bench.broker)))
    #expect(!bench.sensor.isOnline)
  }
}
