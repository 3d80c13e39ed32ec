/// One request, read whole.
package struct Request: Sendable {
  package let method: String
  /// Percent-decoded, without the query, starting with `/`.
  package let path: String
  /// Percent-decoded; of a repeated name, the last.
  package let query: [String: String]
  /// Names in lower case.
  package let headers: [String: String]
  package let body: [UInt8]
  /// Who asks: the login name of the socket's peer.
  package let peer: String
  /// What the route's `{name}` segments held; filled in by the router.
  package internal(set) var parameters: [String: String] = [:]

  package init(
    method: String, path: String, query: [String: String] = [:], headers: [String: String] = [:],
    body: [UInt8] = [], peer: String
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.peer = peer
  }
}
