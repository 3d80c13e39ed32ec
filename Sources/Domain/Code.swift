/// A stable error code, `SG-BLE-102`: what people look up, and what tests hold on to.
///
/// The table of all codes is `Code.all`; their words are in `Texts`.
package struct Code: Hashable, Sendable, CustomStringConvertible {
  package let leg: Leg
  package let number: Int

  package init(_ leg: Leg, _ number: Int) {
    self.leg = leg
    self.number = number
  }

  /// - Parameter text: `SG-BLE-102`; case and the `SG-` may be left off by a person in a hurry.
  package init?(_ text: String) {
    var parts = text.uppercased().split(separator: "-", omittingEmptySubsequences: false)
    if parts.first == "SG" { parts.removeFirst() }
    guard parts.count == 2, let leg = Leg(rawValue: String(parts[0])),
      parts[1].utf8.count == 3, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(parts[1])
    else { return nil }
    self.init(leg, number)
  }

  package var description: String {
    let digits = String(number)
    return "SG-\(leg.rawValue)-\(String(repeating: "0", count: max(0, 3 - digits.count)))\(digits)"
  }

  /// The part of the job that broke; it gives the command line its exit status.
  package enum Leg: String, Hashable, Sendable, Codable, CaseIterable {
    case input = "INPUT"
    case host = "HOST"
    case bluetooth = "BLE"
    case wifi = "WIFI"
    case mqtt = "MQTT"
    case storage = "STORE"
    case backend = "BACKEND"

    /// 1 a fault of no named leg, 2 refused input, 3 Bluetooth, 4 Wi-Fi, 5 MQTT, 6 storage,
    /// 7 backend.
    package var exitStatus: Int32 {
      switch self {
      case .host: 1
      case .input: 2
      case .bluetooth: 3
      case .wifi: 4
      case .mqtt: 5
      case .storage: 6
      case .backend: 7
      }
    }
  }
}

extension Code: Codable {
  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let code = Code(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not an SG- code"))
    }
    self = code
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
