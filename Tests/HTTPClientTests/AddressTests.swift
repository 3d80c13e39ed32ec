import Domain
import HTTPClient
import Testing

@Suite("An address that alerts are posted to")
struct AddressTests {
  @Test(
    "is taken when libcurl can read it",
    arguments: [
      "https://alerts.example.org", "http://10.0.0.2:8080/hook?a=b#c", "HTTP://localhost:65535/",
      "http://[::1]:80/", "http://[fd00::5]/hook", "https://alerts.example.org/%20",
    ])
  func isTaken(url: String) throws { try CurlCourier.judge(url) }

  @Test(
    "is refused for what is wrong with it",
    arguments: [
      ("http://[::1", InvalidURL.host), ("http://[::g]/", .host), ("http://", .host),
      ("http://a.example:99999/", .port), ("http://a.example:0/", .port),
      ("http://a.example:http/", .port), ("http://anne:secret@a.example/", .credentials),
      ("http://a b/", .host), ("marker://a.example/", .scheme),
    ])
  func isRefused(url: String, error: InvalidURL) {
    #expect(throws: error) { try CurlCourier.judge(url) }
  }
}
