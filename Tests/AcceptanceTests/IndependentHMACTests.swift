import Testing

@Suite("The tests' own HMAC")
struct IndependentHMACTests {
  @Test("RFC 4231: gives the standard's answers")
  func standard() {
    // Test case 2.
    #expect(
      IndependentHMAC.sha256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    // Test case 6: a key longer than a block.
    #expect(
      IndependentHMAC.sha256(
        Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
        key: [UInt8](repeating: 0xAA, count: 131))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }
}
