/// The four values a sensor is given for its broker.
package struct MQTTCredentials: Hashable, Sendable {
  /// An IPv4 literal (any certificate is accepted) or a name that chains to ISRG Root X1.
  package let host: String
  /// The sensor speaks TLS on 8883 and nothing at all on another port.
  package let port: Int
  package let user: String
  package let password: Secret

  /// Why four values would not do.
  package enum Invalid: Error, Equatable, Sendable {
    case host
    case port(Int)
    case user
    case password
  }

  /// Host, user and password: 1–127 bytes, no NUL, no white space at either end; port 1–65535.
  package init(
    host: String, port: Int = 8883, user: String, password: Secret
  ) throws(Invalid) {
    guard Self.survivesTheSensor(host) else { throw .host }
    guard (1...65535).contains(port) else { throw .port(port) }
    guard Self.survivesTheSensor(user) else { throw .user }
    guard Self.survivesTheSensor(password.reveal()) else { throw .password }
    self.host = host
    self.port = port
    self.user = user
    self.password = password
  }

  /// The sensor cuts at NUL and trims white space, so such a value would arrive changed.
  private static func survivesTheSensor(_ text: String) -> Bool {
    (1...127).contains(text.utf8.count) && !text.utf8.contains(0)
      && text.trimmingWhitespace() == text
  }
}
