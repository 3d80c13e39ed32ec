/// Why a text is no address that alerts could be posted to.
package enum InvalidURL: Error, Hashable, Sendable {
  /// Neither `http://` nor `https://`.
  case scheme
  /// No host, or one that can be neither a name nor an address.
  case host
  /// Not a number from 1 to 65535.
  case port
  /// A name and a password in the address would end up in logs.
  case credentials
  /// White space, a control character, or a letter that must be percent-encoded.
  case text
  /// Over 2000 bytes.
  case length
  /// Anything else that the HTTP client cannot read.
  case form
}
