/// A sensor as heard over the air: not ours yet.
package struct Peripheral: Hashable, Sendable, Codable {
  package let address: BluetoothAddress
  package let kind: SensorKind
  package let sensor: SensorID
  /// When this advertising window was first heard; it closes `EnrolmentDeadlines.window` later at
  /// the latest.
  package let firstSeen: Timestamp

  package init(
    address: BluetoothAddress, kind: SensorKind = .sound, sensor: SensorID, firstSeen: Timestamp
  ) {
    self.address = address
    self.kind = kind
    self.sensor = sensor
    self.firstSeen = firstSeen
  }
}
