import CCurl
import Domain

extension CurlCourier {
  /// Refuses an address that could never be posted to, as libcurl itself will read it; whether anybody
  /// answers there is another question.
  package static func judge(_ url: String) throws(InvalidURL) {
    let parts = CurlURL()
    try parts.read(url)
    // libcurl lets both pass and would then fail at every connection.
    guard parts[CURLUPART_HOST]?.isEmpty == false else { throw .host }
    if let port = parts[CURLUPART_PORT], Int(port).map((1...65_535).contains) != true {
      throw .port
    }
  }
}

/// An address, taken apart by libcurl.
private struct CurlURL: ~Copyable {
  private let handle: OpaquePointer?

  init() { handle = curl_url() }

  deinit { curl_url_cleanup(handle) }

  func read(_ text: String) throws(InvalidURL) {
    let flags = UInt32(CURLU_DISALLOW_USER)
    switch curl_url_set(handle, CURLUPART_URL, text, flags) {
    case CURLUE_OK: return
    case CURLUE_BAD_PORT_NUMBER: throw .port
    case CURLUE_UNSUPPORTED_SCHEME, CURLUE_BAD_SCHEME, CURLUE_NO_SCHEME: throw .scheme
    case CURLUE_USER_NOT_ALLOWED, CURLUE_BAD_LOGIN, CURLUE_BAD_USER, CURLUE_BAD_PASSWORD:
      throw .credentials
    case CURLUE_NO_HOST, CURLUE_BAD_HOSTNAME, CURLUE_BAD_IPV6: throw .host
    default: throw .form
    }
  }

  subscript(part: CURLUPart) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
