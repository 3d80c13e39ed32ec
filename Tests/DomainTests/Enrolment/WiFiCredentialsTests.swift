import Domain
import Testing

@Suite("Wi-Fi credentials")
struct WiFiCredentialsTests {
  private static let goodKey = Secret("correct horse")

  private static func refusal(ssid: String = "Atelier", key: String) -> WiFiCredentials.Invalid? {
    do throws(WiFiCredentials.Invalid) {
      _ = try WiFiCredentials(ssid: ssid, key: Secret(key))
      return nil
    } catch { return error }
  }

  // "SSID 1–32 bytes; key 8–63 bytes or 64 hex digits; an empty key is refused: this sensor cannot
  // join an open network. Refused before any BLE write, with the rule in the message."
  @Test(
    "P03: an SSID of 1 to 32 bytes is taken, any other length refused with its rule",
    arguments: [
      ("", WiFiCredentials.Rule.empty), ("a", nil), (String(repeating: "a", count: 32), nil),
      (String(repeating: "a", count: 33), .tooLong(bytes: 33)),
      // Bytes count, not characters.
      (String(repeating: "é", count: 16), nil),
      (String(repeating: "é", count: 17), .tooLong(bytes: 34)),
    ])
  func ssidLength(ssid: String, rule: WiFiCredentials.Rule?) {
    let refusal = Self.refusal(ssid: ssid, key: "12345678")
    #expect(refusal?.rule == rule)
    #expect(refusal == nil || (refusal?.field == .ssid && refusal?.code == .invalidSSID))
  }

  @Test(
    "P03: a key of 8 to 63 bytes or 64 hexadecimal digits is taken, any other refused",
    arguments: [
      ("", WiFiCredentials.Rule.empty), ("1", .tooShort(bytes: 1)),
      ("1234567", .tooShort(bytes: 7)),
      ("12345678", nil), (String(repeating: "k", count: 63), nil),
      (String(repeating: "aF09", count: 16), nil),
      (String(repeating: "g", count: 64), .notHexadecimal),
      (String(repeating: "a", count: 65), .tooLong(bytes: 65)),
    ])
  func keyLength(key: String, rule: WiFiCredentials.Rule?) {
    let refusal = Self.refusal(key: key)
    #expect(refusal?.rule == rule)
    #expect(refusal == nil || (refusal?.field == .key && refusal?.code == .invalidWiFiPassword))
  }

  @Test(
    "what the sensor would trim or cut is refused",
    arguments: [
      (" Atelier", WiFiCredentials.Rule.outerWhitespace), ("Atelier\t", .outerWhitespace),
      ("Atelier\r\n", .outerWhitespace), ("Ate\0lier", .nul), ("Ate lier", nil),
    ])
  func whitespace(text: String, rule: WiFiCredentials.Rule?) {
    #expect(Self.refusal(ssid: text, key: "12345678")?.rule == rule)
    #expect(Self.refusal(key: text)?.rule == rule)
  }

  // "Free text is accepted; nothing in gateway, CLI or UI insists that the SSID be visible."
  @Test(
    "P04: any name will do, seen in a scan or not",
    arguments: ["caché", "日本", "\"quoted\\\"", "a|b", "!\u{1F50A}"])
  func freeText(ssid: String) throws {
    #expect(try WiFiCredentials(ssid: ssid, key: Self.goodKey).ssid == ssid)
  }

  @Test("a refusal never repeats the key")
  func refusalKeepsTheSecret() {
    let refusal = Self.refusal(key: "marker ")
    #expect(!String(describing: refusal).contains("marker"))
    let credentials = try? WiFiCredentials(ssid: "a", key: Secret("marker-key"))
    #expect(credentials != nil && !String(reflecting: credentials).contains("marker"))
  }
}
