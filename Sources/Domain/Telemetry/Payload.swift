/// The content of a `status` message: bytes to meaning, strictly (`docs/sensor-profile.md`, "Status
/// payload").
package enum Payload {
  /// The most bytes a status message may have; the sensor sends fewer than 384.
  package static let sizeLimit = 16 * 1024

  /// Reads a sound sensor's status message.
  ///
  /// `soundPct` and `uptime` must be there. Every other field that is known may be absent, but if it is
  /// there it must be right; unknown fields are let pass. The names of firmware before 2.4
  /// (`soundPct_avg` and its like) stand for today's.
  package static func sound(_ bytes: [UInt8]) throws(PayloadError) -> SoundStatus {
    guard bytes.count <= sizeLimit else { throw .tooLarge(bytes: bytes.count) }
    let fields = Fields(members: try FlatJSON.members(of: bytes))
    if let type = try fields.text("device_type"), type != "SoundSense" {
      throw .notSoundSensor(.init(type))
    }
    try fields.checkUnused()
    let percent = 0...100
    let decibels = -180...0
    return SoundStatus(
      soundPct: try fields.required("soundPct", percent),
      soundAvg: try fields.whole("soundAvg", or: "soundPct_avg", percent),
      soundMin: try fields.whole("soundMin", or: "soundPct_min", percent),
      soundMax: try fields.whole("soundMax", or: "soundPct_max", percent),
      dbfsAvg: try fields.whole("dbfsAvg", decibels),
      dbfsEwma: try fields.whole("dbfsEwma", decibels),
      uptime: try fields.required("uptime", 0...Int(UInt32.max)),
      firmware: try fields.version(),
      address: try fields.address(),
      rssi: try fields.whole("rssi", -127...20),
      contentHash: FNV1a.hash(bytes))
  }
}

/// The members of a status message, each read with its type and bounds.
private struct Fields {
  let members: [String: FlatJSON.Value]

  func required(_ key: String, _ bounds: ClosedRange<Int>) throws(PayloadError) -> Int {
    guard let value = try whole(key, bounds) else { throw .missing(.init(key)) }
    return value
  }

  /// A whole number; nil when absent.
  func whole(
    _ key: String, or oldKey: String? = nil, _ bounds: ClosedRange<Int>
  ) throws(PayloadError) -> Int? {
    if let oldKey, let value = try whole(oldKey, bounds) {
      guard members[key] == nil else { throw .doubledKey(.init(key)) }
      return value
    }
    switch members[key] {
    case nil: return nil
    case .null: throw .null(.init(key))
    case .number(let number):
      guard number.rounded() == number else { throw .wrongType(.init(key)) }
      guard let value = Int(exactly: number), bounds.contains(value) else {
        throw .outOfBounds(.init(key))
      }
      return value
    case .text, .bool: throw .wrongType(.init(key))
    }
  }

  func text(_ key: String) throws(PayloadError) -> String? {
    switch members[key] {
    case nil: return nil
    case .null: throw .null(.init(key))
    case .text(let text): return text
    case .number, .bool: throw .wrongType(.init(key))
    }
  }

  /// One to 32 printable ASCII characters; nil when absent or empty.
  func version() throws(PayloadError) -> String? {
    guard let text = try text("version"), !text.isEmpty else { return nil }
    guard text.utf8.count <= 32, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .outOfBounds(.init("version"))
    }
    return text
  }

  /// Dotted IPv4; nil when absent or empty.
  func address() throws(PayloadError) -> String? {
    guard let text = try text("ip"), !text.isEmpty else { return nil }
    guard IPv4Address(text) != nil else { throw .outOfBounds(.init("ip")) }
    return text
  }

  /// The fields that are known and not kept must be right all the same.
  func checkUnused() throws(PayloadError) {
    _ = try whole("windowSec", 1...3600)
    _ = try whole("soundLevel", 0...4095)
  }
}

/// FNV-1a, 64 bit (Fowler, Noll, Vo): tells contents apart, and is the same on every machine.
package enum FNV1a {
  package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
