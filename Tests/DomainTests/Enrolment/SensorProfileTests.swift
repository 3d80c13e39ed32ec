import Domain
import Testing

@Suite("The sensor's profile")
struct SensorProfileTests {
  private static let address = IPv4Address("192.168.100.100")

  /// Every text a sensor can say, with its meaning for the Wi-Fi outcome.
  @Test(
    "every status text of every firmware is understood",
    arguments: [
      ("Déconnecté !", WiFiStatus.idle, WiFiStatus.Meaning.state),
      ("WiFi: 192.168.100.100", .snapshot(address), .state),
      ("WiFi: Déconnecté", .snapshot(nil), .state),
      ("SSID reçu", .ssidReceived, .pending),
      ("PASS reçu", .keyReceived, .pending),
      ("Erreur: identifiants invalides", .refused, .negative),
      ("Connexion...", .starting, .pending),
      ("Connecté (association)", .associated, .pending),
      ("Connecté: 192.168.100.100", .joined(IPv4Address("192.168.100.100")!), .positive),
      ("Déconnecté (r=201)", .left(reason: 201), .negative),
      ("Déconnecté (r=8)", .left(reason: 8), .negative),
      ("MQTT reçu (staging)", .mqtt(.staged), .info),
      ("MQTT connecté: 10.0.0.1:8883", .mqtt(.connected), .info),
      ("MQTT échec rc=5", .mqtt(.failed(5)), .info),
      ("MQTT échec rc=-2", .mqtt(.failed(-2)), .info),
      ("MQTT: on 10.0.0.1:8883", .mqtt(.connected), .info),
      ("MQTT: déconnecté*", .mqtt(.disconnected), .info),
      ("MQTT reçu (CFG staging)", .mqtt(.staged), .info),
      ("Format MQTT invalide (host|port|user|pass)", .mqtt(.other), .info),
      // Older firmware.
      ("Déconnecté", .left(reason: nil), .negative),
      ("Erreur: SSID vide", .refused, .negative),
      ("Erreur: PASS vide", .refused, .negative),
      ("Mot de passe trop court (min 8)", .refused, .negative),
      ("Identifiants effacés + MQTT défauts", .mqtt(.other), .info),
      ("MQTT appliqué (RAM+NVS) — reconnexion…", .mqtt(.other), .info),
    ])
  func statusTexts(text: String, status: WiFiStatus, meaning: WiFiStatus.Meaning) {
    let heard = SensorProfile.wifiStatus(from: Array(text.utf8))
    #expect(heard == status)
    #expect(heard.meaning == meaning)
  }

  @Test(
    "what is cut or garbled gives no information",
    arguments: [
      "Connecté: 192.168.1", "Connecté: 192.168.1.", "Connecté: 192.168.1.256", "Connecté:",
      "Connecté: 192.168.001.1", "Connecté: 192.168.1.1 ok", "WiFi: 10.0", "Déconnecté (r=",
      "Déconnecté (r=0)", "Déconnecté (r=300)", "Déconnecté (r=x)", "connexion...", "Connexion..",
      "", "1", "connected",
    ])
  func cutTexts(text: String) {
    #expect(SensorProfile.wifiStatus(from: Array(text.utf8)) == .unknown)
  }

  @Test("bytes that are no UTF-8 give no information, and nothing after a NUL counts")
  func bytes() {
    #expect(SensorProfile.wifiStatus(from: [0x43, 0xFF, 0xFE]) == .unknown)
    #expect(SensorProfile.wifiStatus(from: Array("Connexion...\0abc".utf8)) == .starting)
  }

  @Test("a notification of twenty bytes may be cut, though it reads like an address")
  func mayBeCut() {
    let cut = Array("Connecté: 10.0.0.123".utf8.prefix(20))
    #expect(SensorProfile.wifiStatus(from: cut) == .joined(IPv4Address("10.0.0.12")!))
    #expect(SensorProfile.mayBeCut(cut))
    #expect(!SensorProfile.mayBeCut(Array("Connecté: 10.0.0.123".utf8)))
    #expect(!SensorProfile.mayBeCut(Array("Déconnecté (r=201)".utf8)), "its end shows it whole")
    #expect(SensorProfile.mayBeCut(Array("Connecté: 192.".utf8)))
  }

  @Test("a chip id is taken only when it is one")
  func chipID() {
    #expect(SensorProfile.sensorID(from: Array("332211CCBBAA".utf8))?.text == "332211CCBBAA")
    #expect(SensorProfile.sensorID(from: Array("332211ccbbaa".utf8)) == nil)
    #expect(SensorProfile.sensorID(from: []) == nil)
  }

  @Test("the network's name is written before its key")
  func wifiWrites() throws {
    let writes = SensorProfile.writes(
      of: try WiFiCredentials(ssid: "Café", key: Secret("12345678")))
    #expect(writes.map(\.characteristic) == [.wifiSSID, .wifiKey])
    #expect(writes.map { String(decoding: $0.bytes, as: UTF8.self) } == ["Café", "12345678"])
  }

  @Test("the four MQTT values go out as host, port, user, password")
  func mqttWrites() throws {
    let writes = SensorProfile.writes(
      of: try MQTTCredentials(
        host: "192.168.1.2", user: "332211CCBBAA-1", password: Secret("p|w")))
    #expect(writes.map(\.characteristic) == [.mqttHost, .mqttPort, .mqttUser, .mqttPassword])
    #expect(
      writes.map { String(decoding: $0.bytes, as: UTF8.self) }
        == ["192.168.1.2", "8883", "332211CCBBAA-1", "p|w"])
  }

  @Test("only an MQTT session that is open counts as online")
  func isOnline() {
    #expect(SensorProfile.isOnline(mqttStatus: Array("MQTT: on 10.0.0.1:8883".utf8)))
    #expect(!SensorProfile.isOnline(mqttStatus: Array("MQTT: déconnecté*".utf8)))
    #expect(!SensorProfile.isOnline(mqttStatus: Array("Déconnecté !".utf8)))
  }
}
