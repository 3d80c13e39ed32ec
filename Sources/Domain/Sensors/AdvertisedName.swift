/// What kind of sensor a name announces: the letters before `-SENSOR-`.
package struct SensorKind: Hashable, Sendable, Codable, CustomStringConvertible {
  package let prefix: String

  package init?(prefix: some StringProtocol) {
    guard !prefix.isEmpty, prefix.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      return nil
    }
    self.prefix = String(prefix)
  }

  private init(known: String) { prefix = known }

  /// The noise sensor, `SOUND-SENSOR-<chip id>`: the one kind enrolled today.
  package static let sound = SensorKind(known: "SOUND")

  package var description: String { "\(prefix)-SENSOR" }
}

/// A name heard on the air that belongs to a sensor: `<KIND>-SENSOR-<chip id>`, matched exactly and
/// case-sensitively. Anything else is no sensor of ours.
package struct AdvertisedName: Hashable, Sendable, CustomStringConvertible {
  package let kind: SensorKind
  package let sensor: SensorID

  package init(kind: SensorKind, sensor: SensorID) {
    self.kind = kind
    self.sensor = sensor
  }

  /// - Returns: nil unless the whole of `text` is such a name.
  package init?(_ text: String) {
    guard let separator = text.firstRange(of: "-SENSOR-"),
      let kind = SensorKind(prefix: text[..<separator.lowerBound]),
      let sensor = SensorID(text[separator.upperBound...])
    else { return nil }
    self.init(kind: kind, sensor: sensor)
  }

  package var description: String { "\(kind)-\(sensor)" }
}
