import COpenSSL
import CSodium
import Domain

/// A password as a store of accounts keeps it.
package struct PasswordHash: Hashable, Sendable, Codable {
  /// The hash, base64.
  package let password: String
  /// base64.
  package let salt: String
  package let iterations: Int

  /// As Mosquitto's dynamic security (2.0) stores it in a client's `password`, `salt` and
  /// `iterations`: PBKDF2-HMAC-SHA512, 64 bytes.
  ///
  /// - Parameters:
  ///   - salt: 12 random bytes unless given.
  ///   - iterations: Mosquitto's own number; it hashes at each log-in on its only thread.
  package static func dynamicSecurity(
    _ secret: Secret, salt: [UInt8] = RandomBytes.make(12), iterations: Int = 101
  ) -> PasswordHash {
    let password = secret.reveal()
    var hash = [UInt8](repeating: 0, count: 64)
    let result = PKCS5_PBKDF2_HMAC(
      password, Int32(password.utf8.count), salt, Int32(salt.count), Int32(iterations),
      EVP_sha512(), Int32(hash.count), &hash)
    precondition(result == 1, "PBKDF2 refused its parameters")
    return PasswordHash(
      password: base64(hash), salt: base64(salt), iterations: iterations)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let variant = sodium_base64_VARIANT_ORIGINAL
    var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant))
    sodium_bin2base64(&text, text.count, bytes, bytes.count, variant)
    return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
