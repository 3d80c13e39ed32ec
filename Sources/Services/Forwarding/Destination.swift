import Crypto
import Domain
import Storage

/// Where alerts are posted to, and the secret that signs them.
package struct Destination: Hashable, Sendable {
  package let url: String
  /// Nil leaves them unsigned.
  package let secret: Secret?

  /// Takes an address that alerts may go to: `http` or `https`, without a name and a password. What
  /// the HTTP client makes of the rest is its own to judge.
  package init(url: String, secret: Secret? = nil) throws(InvalidURL) {
    guard url.utf8.count <= 2_000 else { throw .length }
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .text }
    let schemes = ["https://", "http://"]
    guard let scheme = schemes.first(where: { url.lowercased().hasPrefix($0) }) else {
      throw .scheme
    }
    let authority = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else { throw .credentials }
    guard let first = authority.first, first != ":" else { throw .host }
    self.url = url
    self.secret = secret
  }

  /// What the secret is sealed for.
  private static let purpose = SettingKey.destinationSecret.name

  /// - Returns: nil when none is set.
  package static func load(
    from connection: SQLConnection, _ key: SealKey
  ) throws -> Destination? {
    let settings = SettingStore(connection)
    guard let url: String = try settings.value(.destinationURL) else { return nil }
    let sealed: [UInt8]? = try settings.value(.destinationSecret)
    let secret = try sealed.map { try key.open($0, for: purpose) }
    return try? Destination(url: url, secret: secret)
  }

  package func save(to connection: SQLConnection, _ key: SealKey) throws {
    let settings = SettingStore(connection)
    try settings.set(.destinationURL, to: url)
    if let secret {
      try settings.set(.destinationSecret, to: key.seal(secret, for: Self.purpose))
    } else {
      try settings.remove(.destinationSecret)
    }
  }

  package static func clear(in connection: SQLConnection) throws {
    try SettingStore(connection).remove(.destinationURL)
    try SettingStore(connection).remove(.destinationSecret)
  }

  /// The request that delivers a message.
  func request(
    delivering message: OutboxMessage, userAgent: String, at time: Timestamp
  ) -> CourierRequest {
    var request = CourierRequest(url: url, body: message.body)
    request.headers = [
      ("Content-Type", "application/json"), ("User-Agent", userAgent),
      ("Idempotency-Key", message.id.lowercaseText),
    ]
    if let secret {
      let signature = Signature.webhook(body: message.body, secret: secret, at: time)
      request.headers.append(("Soundgate-Signature", signature))
    }
    return request
  }
}
