/// The type codes of D-Bus (the C macros are casts, which Swift does not import).
enum TypeCode: UInt8 {
  case invalid = 0
  case byte = 0x79  // y
  case boolean = 0x62  // b
  case int16 = 0x6E  // n
  case uint16 = 0x71  // q
  case int32 = 0x69  // i
  case uint32 = 0x75  // u
  case int64 = 0x78  // x
  case uint64 = 0x74  // t
  case double = 0x64  // d
  case string = 0x73  // s
  case objectPath = 0x6F  // o
  case signature = 0x67  // g
  case array = 0x61  // a
  case structure = 0x72  // r
  case dictionaryEntry = 0x65  // e
  case variant = 0x76  // v
  case fileDescriptor = 0x68  // h

  init?(_ code: Int32) {
    guard let byte = UInt8(exactly: code) else { return nil }
    self.init(rawValue: byte)
  }

  var code: Int32 { Int32(rawValue) }
}
