import Domain
import Simulator
import Testing

@Suite("A simulated sensor joining Wi-Fi")
struct SensorWiFiTests {
  @Test("tells its way to an address in two to eight seconds")
  func success() {
    var bench = Bench.connected()
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(8))
    #expect(
      bench.statuses == [
        "SSID reçu", "PASS reçu", "Connexion...", "Connecté (association)",
        "Connecté: 192.168.7.20",
      ])
    let joined = bench.timedStatuses[4].at - bench.timedStatuses[2].at
    #expect(joined > .seconds(2) && joined < .seconds(8))
  }

  @Test("shows how it stands when a central connects")
  func snapshot() {
    var bench = Bench()
    bench.take(.press(.milliseconds(200)))
    #expect(bench.read(.wifiStatus) == "Déconnecté !")
    bench.take(.connect())
    #expect(bench.read(.wifiStatus) == "WiFi: Déconnecté")
    #expect(bench.read(.mqttStatus) == "MQTT: déconnecté*")
    #expect(bench.read(.deviceID) == "332211CCBBAA")
    #expect(bench.read(.mqttBase) == "devices/332211CCBBAA")
    bench.take(.subscribe(.wifiStatus, true))
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(8))
    bench.take(.disconnect)
    bench.take(.connect())
    #expect(bench.read(.wifiStatus) == "WiFi: 192.168.7.20")
  }

  @Test("takes SSID and key in either order, also across two connections")
  func leftovers() {
    var bench = Bench.connected()
    bench.write("correct horse", to: .wifiKey)
    bench.take(.disconnect)
    bench.pass(.seconds(30))
    bench.take(.connect())
    bench.take(.subscribe(.wifiStatus, true))
    bench.write("atelier", to: .wifiSSID)
    bench.pass(.seconds(5))
    #expect(bench.statuses.last == "Connecté: 192.168.7.20")
  }

  @Test("cuts at NUL and trims white space")
  func trims() {
    var bench = Bench.connected()
    bench.writeWiFi(" \tatelier\r\n\0junk", "correct horse ")
    bench.pass(.seconds(5))
    #expect(bench.statuses.last == "Connecté: 192.168.7.20")
  }

  @Test(
    "refuses an empty SSID or a short key, and leaves its Wi-Fi as it was",
    arguments: [("", "correct horse"), ("atelier", "1234567"), ("atelier", "")])
  func refuses(ssid: String, key: String) {
    var bench = Bench.connected()
    bench.writeWiFi(ssid, key)
    bench.pass(.seconds(60))
    #expect(bench.statuses == ["SSID reçu", "PASS reçu", "Erreur: identifiants invalides"])
    #expect(bench.sensor.flash.wifi == nil)
  }

  @Test("says r=8 just after Connexion... when it leaves a network")
  func leaves() {
    var bench = Bench.connected()
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(8))
    bench.forget()
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(8))
    #expect(
      bench.statuses.dropFirst(2) == [
        "Connexion...", "Déconnecté (r=8)", "Connecté (association)", "Connecté: 192.168.7.20",
      ])
  }

  @Test("keeps the new network in flash before it is tried: there is no way back")
  func noRollback() {
    var bench = Bench.connected()
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(8))
    bench.writeWiFi("atelier", "wrong password")
    bench.pass(.seconds(60))
    #expect(bench.sensor.flash.wifi == .init(ssid: "atelier", key: "wrong password"))
    #expect(!bench.statuses.suffix(3).contains { $0.hasPrefix("Connecté") })
  }

  @Test("repeats the reason of a wrong key, falls silent at 15 s, and starts again by itself")
  func wrongKey() {
    var bench = Bench.connected()
    bench.writeWiFi("atelier", "wrong password")
    bench.pass(.seconds(35))
    let reasons = bench.timedStatuses.filter { $0.text == "Déconnecté (r=15)" }.map(\.at)
    let start = bench.timedStatuses[2].at
    #expect(reasons.count >= 8)
    #expect(reasons[1] - start < .seconds(10))
    #expect(reasons.contains { $0 - start > .seconds(20) })
    #expect(bench.statuses.filter { $0 == "Connexion..." }.count == 1)
    #expect(!bench.statuses.contains("Connecté (association)"))
  }

  @Test(
    "does not see a network that is unknown, far, on 5 GHz or too weakly secured",
    arguments: [
      WiFiWorld(), WiFiWorld([.init(ssid: "x", key: "12345678", band: .five)]),
      WiFiWorld([.init(ssid: "x", key: "12345678", coverage: .none)]),
      WiFiWorld([.init(ssid: "x", key: "12345678", security: .wpa1)]),
    ])
  func notFound(air: WiFiWorld) {
    var bench = Bench.connected(air: air)
    bench.writeWiFi("x", "12345678")
    bench.pass(.seconds(10))
    let start = bench.timedStatuses[2].at
    #expect(bench.statuses.dropFirst(3).allSatisfy { $0 == "Déconnecté (r=201)" })
    let first = bench.timedStatuses[3].at - start
    #expect(first > .seconds(2) && first < .seconds(4))
  }

  @Test("names 202 for a wrong key on WPA3")
  func wpa3() {
    let air = WiFiWorld([.init(ssid: "x", key: "12345678", security: .wpa3)])
    var bench = Bench.connected(air: air)
    bench.writeWiFi("x", "87654321")
    bench.pass(.seconds(8))
    #expect(bench.statuses.suffix(2) == ["Déconnecté (r=202)", "Déconnecté (r=202)"])
  }

  @Test("associates, gets no address, and says r=8 when the watchdog starts again")
  func noDHCP() {
    let air = WiFiWorld([.init(ssid: "x", key: "12345678", address: nil)])
    var bench = Bench.connected(air: air)
    bench.writeWiFi("x", "12345678")
    bench.pass(.seconds(18))
    #expect(
      bench.statuses.dropFirst(2) == [
        "Connexion...", "Connecté (association)", "Déconnecté (r=8)",
      ])
    let silence = bench.timedStatuses[4].at - bench.timedStatuses[3].at
    #expect(silence > .seconds(15) && silence < .seconds(17))
  }

  @Test("fails for whatever reason its network is given, over and over")
  func givenReason() {
    let air = WiFiWorld([.init(ssid: "x", key: "12345678", reasons: [203, 5])])
    var bench = Bench.connected(air: air)
    bench.writeWiFi("x", "12345678")
    bench.pass(.seconds(8))
    #expect(
      bench.statuses.dropFirst(3) == [
        "Déconnecté (r=203)", "Déconnecté (r=5)", "Déconnecté (r=203)",
      ])
  }

  @Test("mixes reasons when the signal is weak, never two of a wrong key in one attempt")
  func weak() {
    let air = WiFiWorld([.init(ssid: "x", key: "12345678", coverage: .weak)])
    var bench = Bench.connected(air: air)
    bench.writeWiFi("x", "12345678")
    bench.pass(.seconds(15))
    let reasons = bench.statuses.dropFirst(3)
    #expect(Set(reasons).count >= 4)
    #expect(reasons.filter { $0 == "Déconnecté (r=15)" }.count == 1)
  }

  @Test(
    "stays silent for ever after Connexion... when a value is too long",
    arguments: [
      (String(repeating: "s", count: 33), "12345678"),
      ("atelier", String(repeating: "k", count: 65)),
    ])
  func tooLong(ssid: String, key: String) {
    var bench = Bench.connected()
    bench.writeWiFi(ssid, key)
    bench.pass(.seconds(120))
    #expect(bench.statuses == ["SSID reçu", "PASS reçu", "Connexion..."])
  }

  @Test("starts anew at once when corrected during an attempt")
  func corrected() {
    var bench = Bench.connected()
    bench.writeWiFi("atelier", "wrong password")
    bench.pass(.seconds(5))
    bench.forget()
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(4))
    #expect(bench.statuses.last == "Connecté: 192.168.7.20")
    #expect(!bench.statuses.contains("Déconnecté (r=15)"))
  }

  @Test("cuts a notification to the link's MTU, while a read gives the whole")
  func mtu() {
    var bench = Bench.connected(mtu: 23)
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(8))
    #expect(bench.statuses.last == "Connecté: 192.168.7")
    #expect(bench.read(.wifiStatus) == "Connecté: 192.168.7.20")
  }

  @Test("loses its network with r=200, and joins it again when it is back")
  func outOfRange() {
    var bench = Bench.connected()
    bench.writeWiFi("atelier", "correct horse")
    bench.pass(.seconds(8))
    bench.forget()
    bench.take(.air(WiFiWorld()))
    bench.pass(.seconds(10))
    #expect(bench.statuses.first == "Déconnecté (r=200)")
    bench.take(.air(Bench.home))
    bench.pass(.seconds(30))
    #expect(bench.statuses.last == "Connecté: 192.168.7.20")
    #expect(!bench.statuses.contains("Connexion..."))
  }
}
