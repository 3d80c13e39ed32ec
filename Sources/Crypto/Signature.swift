import CSodium
import Domain

/// Proof to a webhook's receiver that a message is ours and recent.
package enum Signature {
  /// The value of `Soundgate-Signature`: `t=<unix s>,v1=<hex HMAC-SHA256 of "t.body">`.
  package static func webhook(body: [UInt8], secret: Secret, at time: Timestamp) -> String {
    let seconds = time.milliseconds / 1000
    return "t=\(seconds),v1=\(hex(authenticate(seconds: "\(seconds)", body: body, secret: secret)))"
  }

  /// Whether `header` is `webhook`'s for this body and secret, made at most `tolerance` from `now`.
  package static func isValid(
    _ header: String, body: [UInt8], secret: Secret, at now: Timestamp,
    tolerance: Duration = .seconds(300)
  ) -> Bool {
    let parts = header.split(separator: ",")
    guard parts.count == 2, parts[0].hasPrefix("t="), parts[1].hasPrefix("v1="),
      let seconds = Int64(parts[0].dropFirst(2)), (0...253_402_300_799).contains(seconds)
    else { return false }
    let age = now - Timestamp(seconds: seconds)
    guard .zero - tolerance <= age, age <= tolerance else { return false }
    let expected = hex(
      authenticate(seconds: String(parts[0].dropFirst(2)), body: body, secret: secret))
    let given = Array(parts[1].dropFirst(3).utf8)
    return given.count == expected.utf8.count
      && sodium_memcmp(given, Array(expected.utf8), given.count) == 0
  }

  private static func authenticate(seconds: String, body: [UInt8], secret: Secret) -> [UInt8] {
    hmacSHA256(Array(seconds.utf8) + [UInt8(ascii: ".")] + body, key: Array(secret.reveal().utf8))
  }

  /// RFC 2104 with SHA-256; a key of any length.
  package static func hmacSHA256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    Sodium.prepare()
    var state = crypto_auth_hmacsha256_state()
    var code = [UInt8](repeating: 0, count: 32)
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    crypto_auth_hmacsha256_final(&state, &code)
    return code
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
