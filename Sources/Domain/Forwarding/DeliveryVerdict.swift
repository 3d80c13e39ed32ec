/// What an answer of the backend, or the lack of one, means for the message that was sent.
package enum DeliveryVerdict: Hashable, Sendable {
  case delivered
  /// The backend will not have this message: it is parked and not sent again by itself.
  case refused(Fault)
  /// Tried again, at the earliest after `after` when the backend asks for it.
  case retry(Fault, after: Duration?)

  /// The longest wait a backend may ask for.
  package static let longestRequestedWait = Duration.seconds(3_600)

  /// 2xx is delivered; 4xx is refused, but for 408 and 429; anything else is tried again (a redirect
  /// too: it is not followed, and the address is then the operator's to correct).
  package init(_ response: CourierResponse, at time: Timestamp) {
    let fault = { (code: Code) in Fault(code, "HTTP \(response.status)") }
    let wait = response.headers["retry-after"].flatMap { Self.wait(retryAfter: $0, at: time) }
    switch response.status {
    case 200..<300: self = .delivered
    case 429: self = .retry(fault(.backendBusy), after: wait)
    case 408: self = .retry(fault(.backendTimeout), after: wait)
    case 400..<500: self = .refused(fault(.backendRefused))
    default: self = .retry(fault(.backendFailing), after: wait)
    }
  }

  /// The wait that a `Retry-After` header asks for (RFC 9110, 10.2.3): seconds, or a date; never
  /// negative, and `longestRequestedWait` at most. Nil when the header makes no sense.
  package static func wait(retryAfter text: String, at time: Timestamp) -> Duration? {
    let text = text.trimmingWhitespace()
    if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return min(.seconds(Int32(text) ?? .max), longestRequestedWait)
    }
    guard let date = Timestamp(httpDate: text) else { return nil }
    return min(max(date - time, .zero), longestRequestedWait)
  }
}

extension Timestamp {
  /// - Parameter text: a date of HTTP in the form senders must use, `Sun, 06 Nov 1994 08:49:37 GMT`
  ///   (RFC 9110, 5.6.7).
  package init?(httpDate text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
      let day = Self.number(words[1], digits: 2), (1...31).contains(day),
      let month = months.firstIndex(of: String(words[2])),
      let year = Self.number(words[3], digits: 4)
    else { return nil }
    let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
      .map { Self.number($0, digits: 2) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2],
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let date = CivilDate(year: year, month: Int64(month + 1), day: day)
    self.init(
      seconds: date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second)
  }

  private static func number(_ text: Substring, digits: Int) -> Int64? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int64(text)
  }
}
