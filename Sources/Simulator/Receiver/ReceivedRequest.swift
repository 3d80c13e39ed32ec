import Domain

/// A request as the receiver got it.
package struct ReceivedRequest: Sendable {
  package let method: String
  /// With the query, as it was sent.
  package let target: String
  /// Names in lower case.
  package let headers: [String: String]
  package let body: [UInt8]
}

/// Cuts a byte stream into requests with a `Content-Length` (HTTP/1.1).
struct RequestParser {
  private var bytes: [UInt8] = []

  mutating func take(_ piece: [UInt8]) { bytes += piece }

  /// The next whole request, or nil until more has come.
  mutating func next() -> ReceivedRequest? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .split(whereSeparator: \.isNewline)
    let words = (lines.first ?? "").split(separator: " ")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] =
        line[line.index(after: colon)...].trimmingWhitespace()
    }
    let length = headers["content-length"].flatMap(Int.init) ?? 0
    guard length >= 0, bytes.count - end.upperBound >= length else { return nil }
    let body = Array(bytes[end.upperBound..<(end.upperBound + length)])
    bytes.removeSubrange(..<(end.upperBound + length))
    return ReceivedRequest(
      method: words.first.map(String.init) ?? "", target: words.count > 1 ? String(words[1]) : "",
      headers: headers, body: body)
  }
}
