/// What is remembered of a sensor beside its readings.
package struct SensorState: Hashable, Sendable {
  package let sensor: SensorID
  /// When a live message last came in; a retained copy does not count.
  package var lastSeen: Timestamp?
  /// Counts the sensor's restarts, as seen by us; 0 before the first reading.
  package var boot: Int
  /// Seconds since the sensor's start, at its last reading.
  package var uptime: Int?
  /// What its availability topic last said; nil before it said anything.
  package var isOnline: Bool?
  /// When `isOnline` was heard.
  package var availabilityAt: Timestamp?
  package var firmware: String?
  /// Dotted IPv4.
  package var address: String?
  /// Signal strength of its Wi-Fi in dBm.
  package var rssi: Int?
  /// The status message that the broker kept from before our subscription: last known, no reading.
  package var retainedStatus: [UInt8]?
  package var retainedAt: Timestamp?
  /// How many of its messages were refused for their form.
  package var refusedPayloads: Int

  package init(
    sensor: SensorID, lastSeen: Timestamp? = nil, boot: Int = 0, uptime: Int? = nil,
    isOnline: Bool? = nil, availabilityAt: Timestamp? = nil, firmware: String? = nil,
    address: String? = nil, rssi: Int? = nil, retainedStatus: [UInt8]? = nil,
    retainedAt: Timestamp? = nil, refusedPayloads: Int = 0
  ) {
    self.sensor = sensor
    self.lastSeen = lastSeen
    self.boot = boot
    self.uptime = uptime
    self.isOnline = isOnline
    self.availabilityAt = availabilityAt
    self.firmware = firmware
    self.address = address
    self.rssi = rssi
    self.retainedStatus = retainedStatus
    self.retainedAt = retainedAt
    self.refusedPayloads = refusedPayloads
  }
}
