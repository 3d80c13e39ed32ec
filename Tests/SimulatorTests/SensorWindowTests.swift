import Domain
import Simulator
import Testing

@Suite("A simulated sensor's button and Bluetooth window")
struct SensorWindowTests {
  @Test("is off the air after power-up until the button is pressed")
  func isOffAtBoot() {
    var bench = Bench()
    bench.pass(.seconds(120))
    #expect(bench.effects.isEmpty)
    bench.take(.press(.milliseconds(200)))
    #expect(bench.effects == [.advertise(true)])
  }

  @Test(
    "acts on a press by its length",
    arguments: [
      (Duration.milliseconds(79), false), (.milliseconds(80), true), (.milliseconds(4999), true),
    ])
  func pressLengths(span: Duration, opens: Bool) {
    var bench = Bench()
    bench.take(.press(span))
    #expect(bench.sensor.isAdvertised == opens)
  }

  @Test("ignores the button for the first 1.5 s")
  func deafAfterBoot() {
    var bench = Bench()
    bench.take(.powerDown)
    bench.take(.powerUp())
    bench.pass(.milliseconds(1499))
    bench.take(.press(.milliseconds(200)))
    #expect(!bench.sensor.isAdvertised)
    bench.pass(.milliseconds(1))
    bench.take(.press(.milliseconds(200)))
    #expect(bench.sensor.isAdvertised)
  }

  @Test("closes the window five minutes after the press, whatever happened meanwhile")
  func fiveMinutes() {
    var bench = Bench()
    bench.take(.press(.milliseconds(200)))
    let pressed = bench.now
    bench.pass(.seconds(200))
    bench.take(.connect())
    bench.write("atelier", to: .wifiSSID)
    bench.take(.disconnect)
    bench.forget()
    bench.pass(.seconds(200))
    #expect(bench.heard.map(\.at) == [pressed + .seconds(300)])
    #expect(bench.effects == [.advertise(false)])
  }

  @Test("stays silent after a disconnection when the window closed meanwhile")
  func windowClosedWhileConnected() {
    var bench = Bench.connected()
    bench.pass(.seconds(301))
    bench.take(.disconnect)
    bench.pass(.seconds(60))
    #expect(!bench.effects.contains(.advertise(true)))
  }

  @Test("advertises again after a disconnection inside the window")
  func resumes() {
    var bench = Bench.connected()
    bench.take(.disconnect)
    #expect(bench.effects == [.advertise(true)])
  }

  @Test("cannot be opened by a press while Wi-Fi and MQTT are up")
  func onlineSensorKeepsSilent() {
    var bench = Bench.online()
    bench.forget()
    bench.take(.press(.milliseconds(200)))
    bench.pass(.seconds(2))
    #expect(!bench.effects.contains(.advertise(true)))
  }

  @Test("forgets both settings and restarts after a press of five seconds")
  func factoryReset() {
    var bench = Bench.online()
    bench.take(.press(.seconds(5)))
    bench.pass(.milliseconds(600))
    #expect(bench.effects.suffix(2) == [.hangUp(clean: false), .rebooted])
    #expect(bench.sensor.flash == SensorFlash())
    bench.pass(.seconds(60))
    #expect(!bench.sensor.isAdvertised)
  }

  @Test("the two-second hold at power-up erases MQTT, keeps Wi-Fi and opens the window")
  func powerUpHold() {
    var bench = Bench.online()
    let wifi = bench.sensor.flash.wifi
    bench.take(.powerDown)
    bench.forget()
    bench.take(.powerUp(holdingButton: true))
    let start = bench.now
    bench.pass(.seconds(3))
    #expect(bench.heard.first?.at == start + .milliseconds(2500))
    #expect(bench.effects.first == .advertise(true))
    #expect(bench.sensor.flash == SensorFlash(wifi: wifi))
  }

  @Test("after that hold, writes are acknowledged and processed only once the boot attempt ends")
  func powerUpHoldBlocks() {
    let stored = SensorFlash(wifi: .init(ssid: "gone", key: "12345678"), broker: Bench.broker)
    var bench = Bench(flash: stored)
    bench.take(.powerDown)
    bench.take(.powerUp(holdingButton: true))
    bench.pass(.seconds(3))
    bench.take(.connect())
    bench.take(.subscribe(.wifiStatus, true))
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(14))
    #expect(bench.statuses == ["SSID reçu", "PASS reçu"])
    bench.pass(.seconds(4))
    #expect(bench.statuses.contains("Connexion..."))
    #expect(bench.statuses.last == "Connecté: 192.168.7.20")
  }

  @Test("after that hold, the first boot's sessions are refused, and the restart works")
  func powerUpHoldTopics() {
    var bench = Bench.online()
    bench.take(.powerDown)
    bench.take(.powerUp(holdingButton: true))
    bench.pass(.seconds(6))
    bench.take(.connect())
    bench.forget()
    bench.write("192.168.7.1", to: .mqttHost)
    bench.write("8883", to: .mqttPort)
    bench.write("u", to: .mqttUser)
    bench.write("p", to: .mqttPassword)
    bench.pass(.seconds(9))
    #expect(bench.effects.filter { $0 == .rebooted }.count == 1)
    bench.pass(.seconds(5))
    let wanted = SensorFlash.Broker(host: "192.168.7.1", port: 8883, user: "u", password: "p")
    #expect(bench.effects.last == .dial(wanted))
  }
}
