/// Reads one JSON object (RFC 8259) whose values are all scalars, and nothing looser: a byte order
/// mark, bytes that are not UTF-8, a key that comes twice, a nested value, a bare `nan` and anything
/// after the object are refused.
///
/// Ours because general decoders keep silent about the first and the third of these.
struct FlatJSON {
  enum Value: Hashable {
    case text(String)
    case number(Double)
    case bool(Bool)
    case null
  }

  private let bytes: [UInt8]
  private var position = 0

  /// - Returns: the members of the object by key.
  static func members(of bytes: [UInt8]) throws(PayloadError) -> [String: Value] {
    guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { throw .byteOrderMark }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    var reader = FlatJSON(bytes: bytes)
    return try reader.object()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private var malformed: PayloadError { .malformed(offset: position) }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func object() throws(PayloadError) -> [String: Value] {
    skipSpace()
    guard take("{") else { throw .notAnObject }
    var members: [String: Value] = [:]
    skipSpace()
    if !take("}") {
      repeat {
        skipSpace()
        let key = try string()
        skipSpace()
        guard take(":") else { throw malformed }
        skipSpace()
        let value = try value(of: key)
        guard members.updateValue(value, forKey: key) == nil else { throw .doubledKey(.init(key)) }
        skipSpace()
      } while take(",")
      guard take("}") else { throw malformed }
    }
    skipSpace()
    guard next == nil else { throw malformed }
    return members
  }

  private mutating func value(of key: String) throws(PayloadError) -> Value {
    switch next {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "{"), UInt8(ascii: "["): throw .nested(.init(key))
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number(of: key))
    }
  }

  private mutating func word(_ word: String, _ value: Value) throws(PayloadError) -> Value {
    guard bytes[position...].starts(with: word.utf8) else { throw malformed }
    position += word.utf8.count
    return value
  }

  private mutating func number(of key: String) throws(PayloadError) -> Double {
    let start = position
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
      throw malformed
    }
    guard number.isFinite else { throw .notFinite(.init(key)) }
    return number
  }

  /// One digit or more.
  private mutating func digits() throws(PayloadError) {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    guard position > start else { throw malformed }
  }

  private mutating func string() throws(PayloadError) -> String {
    guard take("\"") else { throw malformed }
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += UTF8.encode(try escape()).map(Array.init) ?? []
      case 0..<0x20: throw malformed
      default: text.append(byte)
      }
    }
    throw malformed
  }

  private mutating func escape() throws(PayloadError) -> Unicode.Scalar {
    guard let byte = next else { throw malformed }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw malformed
    }
  }

  /// What follows `\u`: four digits, or a surrogate pair.
  private mutating func unicodeEscape() throws(PayloadError) -> Unicode.Scalar {
    let unit = try fourHexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard take("\\"), take("u") else { throw malformed }
    let low = try fourHexDigits()
    guard UTF16.isLeadSurrogate(unit), UTF16.isTrailSurrogate(low) else { throw malformed }
    return UTF16.decode(.init([unit, low]))
  }

  private mutating func fourHexDigits() throws(PayloadError) -> UInt16 {
    guard position + 4 <= bytes.count else { throw malformed }
    let digits = bytes[position..<position + 4]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw malformed }
    position += 4
    return unit
  }
}
