import CSodium
import Domain

/// Secrets nobody has to remember, from the system's secure source.
package enum RandomText {
  private static let alphanumerics = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let symbols = alphanumerics + Array("!@#$%^&*()-_=+[]{}.,:?".utf8)

  /// The password of a sensor's broker account: 32 characters, 84 symbols, each as likely as any other
  /// (`docs/sensor-profile.md`, "Broker password").
  ///
  /// The first and the last are letters or digits, so that no shell, form or terminal takes either for
  /// its own.
  package static func password() -> Secret {
    let characters = (0..<32).map { place in
      pick(from: place == 0 || place == 31 ? alphanumerics : symbols)
    }
    return Secret(String(decoding: characters, as: UTF8.self))
  }

  private static func pick(from characters: [UInt8]) -> UInt8 {
    Sodium.prepare()
    return characters[Int(randombytes_uniform(UInt32(characters.count)))]
  }
}

/// Bytes from the system's secure source.
package enum RandomBytes {
  package static func make(_ count: Int) -> [UInt8] {
    Sodium.prepare()
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }
}
