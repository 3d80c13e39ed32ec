import CSodium
import Domain
import Host

/// The gateway's key for secrets at rest: Wi-Fi keys, broker passwords, the webhook's secret.
///
/// A sealed value is `1` (the format), a 24-byte nonce, and XChaCha20-Poly1305's output with the
/// purpose as associated data, so that a value put in another's place does not open.
package struct SealKey: Sendable {
  private let key: [UInt8]

  private static let format: UInt8 = 1
  private static let keySize = 32
  private static let nonceSize = 24
  private static let tagSize = 16

  /// - Returns: nil unless `key` is 32 bytes.
  package init?(_ key: [UInt8]) {
    guard key.count == Self.keySize else { return nil }
    self.key = key
    Sodium.prepare()
  }

  /// A key that lives no longer than the process: demonstrations and tests.
  package static func temporary() -> SealKey { SealKey(bytes: RandomBytes.make(keySize)) }

  private init(bytes: [UInt8]) { key = bytes }

  /// - Parameter purpose: what the secret is for and whose it is, `account:24A160000001-1`.
  package func seal(_ secret: Secret, for purpose: String) -> [UInt8] {
    let message = Array(secret.reveal().utf8)
    let context = Array(purpose.utf8)
    let nonce = RandomBytes.make(Self.nonceSize)
    var sealed = [UInt8](repeating: 0, count: message.count + Self.tagSize)
    crypto_aead_xchacha20poly1305_ietf_encrypt(
      &sealed, nil, message, UInt64(message.count), context, UInt64(context.count), nil, nonce, key)
    return [Self.format] + nonce + sealed
  }

  /// Throws `SG-STORE-608` when the value was sealed with another key or for another purpose, or is
  /// damaged.
  package func open(_ sealed: [UInt8], for purpose: String) throws(Fault) -> Secret {
    guard sealed.first == Self.format, sealed.count >= 1 + Self.nonceSize + Self.tagSize else {
      throw Fault(.sealKey, "the sealed value \(purpose) has no known format")
    }
    let nonce = Array(sealed[1..<(1 + Self.nonceSize)])
    let rest = Array(sealed[(1 + Self.nonceSize)...])
    let context = Array(purpose.utf8)
    var message = [UInt8](repeating: 0, count: rest.count - Self.tagSize)
    let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
      &message, nil, nil, rest, UInt64(rest.count), context, UInt64(context.count), nonce, key)
    guard result == 0, let text = String(validating: message, as: UTF8.self) else {
      throw Fault(.sealKey, "the sealed value \(purpose) does not open with this gateway's key")
    }
    return Secret(text)
  }
}

extension SealKey: CustomStringConvertible, CustomReflectable {
  package var description: String { "••••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
