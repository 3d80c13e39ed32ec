/// An HTTP request to the outside.
package struct CourierRequest: Sendable {
  package var method: String
  package var url: String
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  package init(
    method: String = "POST", url: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// What came back; any status counts as an answer.
package struct CourierResponse: Sendable {
  package let status: Int
  /// Header names in lower case.
  package let headers: [String: String]
  package let body: [UInt8]

  package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// Sends one request; throws a backend `Fault` when no answer came in time.
package protocol Courier: Sendable {
  func send(_ request: CourierRequest) async throws(Fault) -> CourierResponse
}
