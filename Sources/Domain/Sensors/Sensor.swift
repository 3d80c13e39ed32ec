/// A sensor of this gateway.
package struct Sensor: Hashable, Sendable, Codable {
  package let id: SensorID
  package var kind: SensorKind
  package var name: SensorName
  package var enrolledAt: Timestamp
  /// What is added to dBFS to give dB SPL; nil until the sensor is calibrated.
  package var calibrationOffset: Double?
  /// The broker account it logs in with; nil for an adopted sensor on a site's own broker.
  package var account: String?

  package init(
    id: SensorID, kind: SensorKind = .sound, name: SensorName, enrolledAt: Timestamp,
    calibrationOffset: Double? = nil, account: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.name = name
    self.enrolledAt = enrolledAt
    self.calibrationOffset = calibrationOffset
    self.account = account
  }
}
