import Domain

/// The status line and headers of an answer, taken line by line.
struct ResponseHead {
  private(set) var status = 0
  /// Names in lower case; values of a repeated name are joined with `, ` (RFC 9110, 5.3).
  private(set) var headers: [String: String] = [:]
  private var size = 0

  /// More than any answer of ours has; the rest is dropped.
  private static let limit = 65_536

  /// Takes a line as it came; true for the empty one that ends the head of the final answer.
  mutating func take(_ bytes: some Collection<UInt8>) -> Bool {
    let line = String(decoding: bytes, as: UTF8.self).filter { $0 != "\r\n" && $0 != "\n" }
    if line.hasPrefix("HTTP/") {
      // An interim answer (1xx) has a head of its own before this one.
      self = ResponseHead()
      let words = line.split(separator: " ")
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
      return false
    }
    guard !line.isEmpty else { return status >= 200 }
    size += line.utf8.count
    guard size <= Self.limit, let colon = line.firstIndex(of: ":") else { return false }
    let name = line[..<colon].lowercased()
    let value = line[line.index(after: colon)...].trimmingWhitespace()
    headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    return false
  }
}
