import Crypto
import Domain
import Testing

@Suite("A webhook's signature")
struct SignatureTests {
  private let secret = Secret("whsec")
  private let body = Array(#"{"a":1}"#.utf8)
  private let time = Timestamp(milliseconds: 1_700_000_000_999)
  private let header =
    "t=1700000000,v1=8ad37ba156048ae0e0a5533c75cdf26fee88b07f93cb57ee4c80adb053012032"

  @Test("is the HMAC of time and body")
  func isKnown() {
    #expect(Signature.webhook(body: body, secret: secret, at: time) == header)
  }

  @Test("is computed as RFC 4231's second case says")
  func isHMAC() {
    let code = Signature.hmacSHA256(
      Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(
      code == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
  }

  @Test("is verified within its tolerance on both sides", arguments: [-301, -300, 0, 300, 301])
  func isRecent(seconds: Int64) {
    let isValid = Signature.isValid(
      header, body: body, secret: secret, at: Timestamp(seconds: 1_700_000_000 + seconds))
    #expect(isValid == (abs(seconds) <= 300))
  }

  @Test(
    "is refused when anything is different",
    arguments: [
      "", "t=1700000000", "v1=8ad37b", "t=1700000000,v1=", "t=1700000000,v1=8ad37b",
      "t=1700000001,v1=8ad37ba156048ae0e0a5533c75cdf26fee88b07f93cb57ee4c80adb053012032",
      "t=1700000000,v1=9ad37ba156048ae0e0a5533c75cdf26fee88b07f93cb57ee4c80adb053012032",
      "t=99999999999999999999,v1=8ad3", "t=-9223372036854775808,v1=8ad3",
    ])
  func isRefused(header: String) {
    #expect(!Signature.isValid(header, body: body, secret: secret, at: time))
  }

  @Test("belongs to one body and one secret")
  func isBound() {
    #expect(!Signature.isValid(header, body: body + [32], secret: secret, at: time))
    #expect(!Signature.isValid(header, body: body, secret: Secret("other"), at: time))
  }
}
