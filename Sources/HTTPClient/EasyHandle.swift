import CCurl
import Domain

/// One request of libcurl, with what must live as long as it.
struct EasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let errorText: UnsafeMutablePointer<CChar>

  /// Set up once, before the first handle; libcurl keeps it until the process ends.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(_ request: CourierRequest, url: String) throws(Fault) {
    let lines = try Self.headerLines(of: request)
    guard Self.isReady, let pointer = curl_easy_init() else {
      throw Fault(.internalFault, "libcurl cannot be initialised")
    }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    set(CURLOPT_ERRORBUFFER, to: errorText)
    set(CURLOPT_NOSIGNAL, to: 1)
    set(CURLOPT_URL, to: url)
    set(CURLOPT_CUSTOMREQUEST, to: request.method)
    set(CURLOPT_NOBODY, to: request.method == "HEAD" ? 1 : 0)
    if !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method) {
      curl_set_body(pointer, request.body, curl_off_t(request.body.count))
    }
    for line in lines { headers = curl_slist_append(headers, line) }
    set(CURLOPT_HTTPHEADER, to: headers)
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(headers)
    errorText.deallocate()
  }

  private static func headerLines(of request: CourierRequest) throws(Fault) -> [String] {
    // libcurl would wait for "100 Continue" and call the body a form of a web page.
    var lines = ["Expect:", "Content-Type:", "Accept:"]
    for (name, value) in request.headers {
      guard !(name + value).utf8.contains(where: { $0 < 0x20 && $0 != 0x09 }) else {
        throw Fault(.invalidInput, "a header holds a control character: \(name.debugDescription)")
      }
      lines.removeAll { $0.lowercased() == name.lowercased() + ":" }
      lines.append("\(name): \(value)")
    }
    return lines
  }

  func set(_ option: CURLoption, to value: Int) { curl_set_number(pointer, option, value) }
  func set(_ option: CURLoption, to value: String) { curl_set_text(pointer, option, value) }
  func set(_ option: CURLoption, to value: UnsafeMutableRawPointer?) {
    curl_set_pointer(pointer, option, value)
  }

  /// What libcurl says of the last failure; names hosts and ports, never a path or a header.
  func words(for code: CURLcode) -> String {
    let words = String(cString: errorText)
    return words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
  }

  /// The `errno` of the last failed connection.
  var systemError: Int32 {
    var value = 0
    curl_get_number(pointer, CURLINFO_OS_ERRNO, &value)
    return Int32(truncatingIfNeeded: value)
  }
}
