import Crypto
import Domain
import Testing

@Suite("A password")
struct PasswordTests {
  @Test("is hashed as mosquitto_ctrl hashes it")
  func isHashed() {
    // From `mosquitto_ctrl dynsec init` 2.0.11 with the password "correct horse".
    let salt: [UInt8] = [0xea, 0x46, 0x84, 0xd5, 0x94, 0xd1, 0x82, 0x96, 0xb8, 0x6e, 0x70, 0x81]
    let hash = PasswordHash.dynamicSecurity(Secret("correct horse"), salt: salt)
    #expect(hash.salt == "6kaE1ZTRgpa4bnCB")
    #expect(hash.iterations == 101)
    #expect(
      hash.password
        == "K3G5GZkURWQrSHWiG8ZxsP2eNl2ltEpCje2cFOPzEM/dU4Sm0lZEpSaHZRIjXxcqsOfj/IBiZcvOiuFt5/GOCQ=="
    )
  }

  @Test("gets a salt of its own")
  func isSalted() {
    let hashes = (0..<10).map { _ in PasswordHash.dynamicSecurity(Secret("a")) }
    #expect(Set(hashes.map(\.salt)).count == 10)
    #expect(Set(hashes.map(\.password)).count == 10)
  }

  @Test("of a sensor is 32 of the 84 symbols, each about as often, a letter or digit at the ends")
  func isRandom() {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    let symbols = Set(letters + "!@#$%^&*()-_=+[]{}.,:?")
    #expect(symbols.count == 84)
    var counts: [Character: Int] = [:]
    for _ in 0..<2000 {
      let password = RandomText.password().reveal()
      #expect(password.count == 32)
      #expect(letters.contains(password.first ?? " ") && letters.contains(password.last ?? " "))
      for character in password.dropFirst().dropLast() { counts[character, default: 0] += 1 }
    }
    #expect(Set(counts.keys) == symbols)
    // 60 000 draws of 84 symbols: 714 each, a standard deviation of 27; eight of them are allowed.
    #expect(counts.values.allSatisfy { (498...930).contains($0) })
  }
}
