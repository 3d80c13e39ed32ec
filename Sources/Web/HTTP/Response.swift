/// One answer.
package struct Response: Sendable {
  package var status: Int
  package var headers: [(name: String, value: String)]
  package var body: Body

  package enum Body: Sendable {
    case bytes([UInt8])
    /// Chunks as they come; ends with the stream, and the stream is let go when the client leaves.
    case stream(AsyncStream<[UInt8]>)
  }

  package init(
    status: Int, headers: [(name: String, value: String)] = [], body: Body = .bytes([])
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package static func json(_ bytes: [UInt8], status: Int = 200) -> Response {
    Response(
      status: status, headers: [(name: "Content-Type", value: "application/json")],
      body: .bytes(bytes))
  }

  package static let noContent = Response(status: 204)
}
