import Domain
import Testing

@Suite("An answer of the backend")
struct DeliveryVerdictTests {
  /// 1994-11-06T08:49:37Z.
  private let moment = Timestamp(seconds: 784_111_777)

  private func verdict(_ status: Int, _ headers: [String: String] = [:]) -> DeliveryVerdict {
    DeliveryVerdict(CourierResponse(status: status, headers: headers), at: moment)
  }

  @Test("of 2xx means delivered", arguments: [200, 201, 202, 204, 299])
  func delivered(status: Int) {
    #expect(verdict(status) == .delivered)
  }

  @Test("N03: of 4xx parks the message, but for 408 and 429", arguments: 400..<500)
  func refused(status: Int) {
    // "4xx (not 408/429) parked and the queue goes on"
    switch status {
    case 408: #expect(verdict(408) == .retry(Fault(.backendTimeout, "HTTP 408"), after: nil))
    case 429: #expect(verdict(429) == .retry(Fault(.backendBusy, "HTTP 429"), after: nil))
    default: #expect(verdict(status) == .refused(Fault(.backendRefused, "HTTP \(status)")))
    }
  }

  @Test("of any other kind means trying again", arguments: [100, 301, 302, 500, 502, 503, 599])
  func retried(status: Int) {
    #expect(verdict(status) == .retry(Fault(.backendFailing, "HTTP \(status)"), after: nil))
  }

  @Test(
    "N03: asks for a wait in seconds or by date",
    arguments: [
      ("0", 0), ("7", 7), (" 120 ", 120), ("3600", 3_600), ("3601", 3_600),
      ("99999999999999999999", 3_600), ("Sun, 06 Nov 1994 08:50:37 GMT", 60),
      ("Sun, 06 Nov 1994 08:49:36 GMT", 0), ("Mon, 07 Nov 1994 08:49:37 GMT", 3_600),
    ])
  func wait(text: String, seconds: Int) {
    // "Retry-After obeyed"
    #expect(
      verdict(429, ["retry-after": text])
        == .retry(Fault(.backendBusy, "HTTP 429"), after: .seconds(seconds)))
  }

  @Test(
    "may ask for a wait in words that make no sense",
    arguments: [
      "", "-1", "1.5", "soon", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET",
      "Sun, 06 Nov 1994 08:49 GMT",
      "Sun 06 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
    ])
  func senseless(text: String) {
    #expect(DeliveryVerdict.wait(retryAfter: text, at: moment) == nil)
  }

  @Test(
    "has dates of leap years and of the turn of a century",
    arguments: [
      ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
      ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ])
  func dates(text: String, seconds: Int64) {
    #expect(Timestamp(httpDate: text) == Timestamp(seconds: seconds))
  }
}
