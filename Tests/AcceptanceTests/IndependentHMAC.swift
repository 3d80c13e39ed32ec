/// HMAC-SHA-256 written from its standards alone (FIPS 180-4, RFC 2104), so that a slip in the
/// gateway's signature does not cancel out in its test.
enum IndependentHMAC {
  /// In lower-case hexadecimal digits.
  static func sha256(_ message: [UInt8], key: [UInt8]) -> String {
    var block = key.count > 64 ? digest(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    let inner = digest(block.map { $0 ^ 0x36 } + message)
    let code = digest(block.map { $0 ^ 0x5C } + inner)
    return code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  static func digest(_ message: [UInt8]) -> [UInt8] {
    var state = initial
    let zeros = (119 - message.count % 64) % 64
    let bits = UInt64(message.count) * 8
    let padded =
      message + [0x80] + [UInt8](repeating: 0, count: zeros)
      + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
    for start in stride(from: 0, to: padded.count, by: 64) {
      compress(padded[start..<(start + 64)], into: &state)
    }
    return state.flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }

  private static func compress(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var w = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<(index + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for t in 16..<64 {
      let s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3
      let s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10
      w.append(w[t - 16] &+ s0 &+ w[t - 7] &+ s1)
    }
    var v = state
    for t in 0..<64 {
      let s1 = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)
      let choice = v[4] & v[5] ^ ~v[4] & v[6]
      let t1 = v[7] &+ s1 &+ choice &+ constants[t] &+ w[t]
      let s0 = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)
      let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
      v = [t1 &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
    }
    for index in 0..<8 { state[index] &+= v[index] }
  }

  private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits of the fractions of the square roots of the first eight primes.
  private static let initial: [UInt32] = primes(8).map { fraction($0, { $0.squareRoot() }) }

  /// And of the cube roots of the first 64.
  private static let constants: [UInt32] = primes(64).map { fraction($0, cubeRoot) }

  private static func fraction(_ prime: Int, _ root: (Double) -> Double) -> UInt32 {
    let value = root(Double(prime))
    return UInt32((value - value.rounded(.down)) * 4_294_967_296)
  }

  /// Newton's method; a double's 52 bits leave more than the 32 needed.
  private static func cubeRoot(_ value: Double) -> Double {
    var root = value
    for _ in 0..<100 { root -= (root * root * root - value) / (3 * root * root) }
    return root
  }

  private static func primes(_ count: Int) -> [Int] {
    var found: [Int] = []
    var candidate = 2
    while found.count < count {
      if found.allSatisfy({ candidate % $0 != 0 }) { found.append(candidate) }
      candidate += 1
    }
    return found
  }
}
