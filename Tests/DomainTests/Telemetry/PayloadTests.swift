import Domain
import Foundation
import TestSupport
import Testing

@Suite("A status payload")
struct PayloadTests {
  private func decode(_ text: String) throws(PayloadError) -> SoundStatus {
    try Payload.sound(Array(text.utf8))
  }

  /// The usual message with one value put in the place of another.
  private func usual(_ key: String, _ value: String) -> String {
    let start = StatusSample.usual.firstRange(of: "\"\(key)\":")!.upperBound
    let end = StatusSample.usual[start...].firstIndex { ",}".contains($0) }!
    return StatusSample.usual.replacingCharacters(in: start..<end, with: value)
  }

  @Test("of today's firmware is read whole")
  func usual() throws {
    let sound = try decode(StatusSample.usual)
    #expect(
      sound
        == SoundStatus(
          soundPct: 34, soundAvg: 33, soundMin: 12, soundMax: 61, dbfsAvg: -43, dbfsEwma: -43,
          uptime: 86, firmware: "2.5.0", address: "192.168.1.50",
          contentHash: FNV1a.hash(StatusSample.usual.utf8)))
  }

  @Test("of older firmware is read by its old names, without a device type")
  func oldNames() throws {
    let sound = try decode(StatusSample.oldNames)
    #expect(sound.soundAvg == 39)
    #expect(sound.soundMin == 18)
    #expect(sound.soundMax == 66)
    #expect(sound.firmware == nil)
  }

  @Test("may lack every field but level and uptime")
  func optionalFields() throws {
    let sound = try decode(StatusSample.noDecibels)
    #expect(sound.dbfsAvg == nil)
    #expect(sound.rssi == -67)
    #expect(try decode(#"{"uptime":1,"soundPct":2}"#).soundMax == nil)
    #expect(throws: PayloadError.missing(.init("soundPct"))) { try decode(#"{"uptime":1}"#) }
    #expect(throws: PayloadError.missing(.init("uptime"))) { try decode(#"{"soundPct":1}"#) }
  }

  @Test("may say that there is no address, and digital silence")
  func silence() throws {
    let sound = try decode(StatusSample.silent)
    #expect(sound.address == nil)
    #expect(sound.dbfsAvg == -180)
  }

  @Test("of a presence sensor is refused by name")
  func presence() {
    #expect(throws: PayloadError.notSoundSensor(.init("HumanSensor"))) {
      try decode(StatusSample.presence)
    }
  }

  @Test("may hold fields that we do not know")
  func unknownFields() throws {
    let text = #"{"soundPct":1,"uptime":2,"é😀":"x","n":null,"b":true,"f":-1.5e-3}"#
    #expect(try decode(text).soundPct == 1)
  }

  @Test(
    "keeps the values of the bounds and refuses the ones beyond",
    arguments: [
      ("soundPct", 0, 100), ("soundAvg", 0, 100), ("soundMin", 0, 100), ("soundMax", 0, 100),
      ("dbfsAvg", -180, 0), ("dbfsEwma", -180, 0), ("soundLevel", 0, 4_095),
      ("windowSec", 1, 3_600), ("uptime", 0, 4_294_967_295),
    ])
  func bounds(key: String, low: Int, high: Int) throws {
    _ = try decode(usual(key, "\(low)"))
    _ = try decode(usual(key, "\(high)"))
    for beyond in [low - 1, high + 1] {
      #expect(throws: PayloadError.outOfBounds(.init(key))) { try decode(usual(key, "\(beyond)")) }
    }
  }

  @Test(
    "M05: is dropped with its reason when a value is not a finite number",
    arguments: [
      ("nan", PayloadError.malformed(offset: 32)), ("NaN", .malformed(offset: 32)),
      ("Infinity", .malformed(offset: 32)), ("1e999", .notFinite(.init("soundPct"))),
      ("null", .null(.init("soundPct"))), ("\"34\"", .wrongType(.init("soundPct"))),
      ("true", .wrongType(.init("soundPct"))), ("34.5", .wrongType(.init("soundPct"))),
      ("1e300", .outOfBounds(.init("soundPct"))), ("[34]", .nested(.init("soundPct"))),
      ("{}", .nested(.init("soundPct"))), ("034", .malformed(offset: 33)),
      ("+34", .malformed(offset: 32)), ("34.", .malformed(offset: 35)),
      ("-", .malformed(offset: 33)), ("1e", .malformed(offset: 34)),
    ])
  func notANumber(value: String, error: PayloadError) {
    // "message dropped and counted per sensor, last good value kept and ageing; nothing non-finite
    // reaches DB, rules, REST or the web JSON"
    let text = #"{"ip":"192.168.1.5","soundPct": "# + value + #","uptime":3}"#
    #expect(throws: error) { try decode(text) }
  }

  @Test(
    "M05: is dropped with its reason when it is no object",
    arguments: [
      ("", PayloadError.notAnObject), ("[]", .notAnObject), ("nan", .notAnObject),
      ("\u{FEFF}{}", .byteOrderMark), ("{", .malformed(offset: 1)),
      (#"{"soundPct":34,"upti"#, .malformed(offset: 20)),
      (#"{"soundPct":34,}"#, .malformed(offset: 15)),
      (#"{"a":1} x"#, .malformed(offset: 8)), (#"{"a":1}{}"#, .malformed(offset: 7)),
      ("{\"a\":\"\u{1}\"}", .malformed(offset: 7)), (#"{"a":"\x"}"#, .malformed(offset: 8)),
      (#"{"a":"\ud800"}"#, .malformed(offset: 12)),
      (#"{"a":"\udc00\ud800"}"#, .malformed(offset: 18)),
      (#"{a:1}"#, .malformed(offset: 1)), (#"{"a" 1}"#, .malformed(offset: 5)),
    ])
  func notAnObject(text: String, error: PayloadError) {
    #expect(throws: error) { try decode(text) }
  }

  @Test("M05: is dropped when its bytes are of another encoding")
  func otherEncoding() {
    let bytes = Array(#"{"ip":""#.utf8) + [0x80, 0xE9] + Array(#"","uptime":1}"#.utf8)
    #expect(throws: PayloadError.notUTF8) { try Payload.sound(bytes) }
  }

  @Test("is refused when a key comes twice, by whatever name or spelling")
  func doubledKeys() {
    for second in [#""soundPct":35"#, #""sound\u0050ct":34"#, #""device_type":"SoundSense""#] {
      let text = StatusSample.usual.dropLast() + ",\(second)}"
      #expect { try decode(String(text)) } throws: { error in
        if case .doubledKey = error as? PayloadError { true } else { false }
      }
    }
    #expect(throws: PayloadError.doubledKey(.init("soundAvg"))) {
      try decode(#"{"soundPct":1,"uptime":1,"soundAvg":1,"soundPct_avg":1}"#)
    }
  }

  @Test(
    "is refused when address or version is not what it should be",
    arguments: [
      (#""ip":"1.2.3""#, "ip"), (#""ip":"1.2.3.256""#, "ip"), (#""ip":"a.b.c.d""#, "ip"),
      (#""version":"2.5\u001b[31m""#, "version"), (#""version":" 2.5""#, "version"),
    ])
  func texts(member: String, key: String) {
    #expect(throws: PayloadError.outOfBounds(.init(key))) {
      try decode(#"{"soundPct":1,"uptime":1,"# + member + "}")
    }
  }

  @Test("M06: over 16 KiB is refused before it is looked at")
  func tooLarge() throws {
    let room = Payload.sizeLimit - StatusSample.usual.utf8.count
    let padding = Array(repeating: UInt8(ascii: " "), count: room)
    _ = try Payload.sound(Array(StatusSample.usual.utf8) + padding)
    #expect(throws: PayloadError.tooLarge(bytes: Payload.sizeLimit + 1)) {
      try Payload.sound(Array(StatusSample.usual.utf8) + padding + [0x20])
    }
  }

  @Test("names a foreign key without passing on what could deceive a reader")
  func deceivingKey() {
    let error = #expect(throws: PayloadError.self) {
      try decode(
        "{\"soundPct\":1,\"uptime\":1,\"\\u001b[2J\(String(repeating: "x", count: 99))\":[]}")
    }
    #expect(error?.description == "'?[2J\(String(repeating: "x", count: 28))' holds a nested value")
  }

  @Test("never stops us, whatever its bytes", arguments: 0..<8)
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let samples = [
      StatusSample.usual, StatusSample.silent, StatusSample.oldNames, StatusSample.noDecibels,
      StatusSample.presence, #"{"a":"\ud83d\ude00","soundPct":1e2,"uptime":0}"#,
    ].map { Array($0.utf8) }
    let pieces = [
      "\\u", "\\ud800", "null", "1e999", "-", "{", "[", "\"", ",", ":", "\u{FEFF}", "uptime",
    ].map { Array($0.utf8) }
    var refused = 0
    for _ in 0..<2_500 {
      var bytes = samples.randomElement(using: &generator)!
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.insert(.random(in: 0...255, using: &generator), at: place)
        case 1: bytes.removeSubrange(place..<min(place + 3, bytes.count))
        case 2: bytes.insert(contentsOf: pieces.randomElement(using: &generator)!, at: place)
        case 3: bytes.removeSubrange(place...)
        default: if place < bytes.count { bytes[place] = .random(in: 0...255, using: &generator) }
        }
      }
      do throws(PayloadError) {
        let sound = try Payload.sound(bytes)
        #expect((0...100).contains(sound.soundPct))
        #expect((-180...0).contains(sound.dbfsAvg ?? 0))
      } catch {
        refused += 1
        #expect(error.description.utf8.count < 100)
      }
    }
    #expect((500..<2_500).contains(refused))
  }
}
