/// One sound reading, as decoded from a sensor's status message and dated by us.
package struct Reading: Hashable, Sendable {
  package let sensor: SensorID
  package let at: Timestamp
  /// False when the moment could not be worked out (a backlog of unknown age): stored and shown as
  /// uncertain, evaluated by no rule.
  package let isDated: Bool
  /// Counts the sensor's restarts, as seen by us; starts at 1.
  package let boot: Int
  package let sound: SoundStatus

  package init(
    sensor: SensorID, at: Timestamp, isDated: Bool = true, boot: Int, sound: SoundStatus
  ) {
    self.sensor = sensor
    self.at = at
    self.isDated = isDated
    self.boot = boot
    self.sound = sound
  }
}

/// The content of a sound sensor's status message, in the newest firmware's terms
/// (`docs/sensor-profile.md`, "Status payload").
package struct SoundStatus: Hashable, Sendable {
  /// Moving average of the level, 0–100 % of digital full scale.
  package var soundPct: Int
  /// Mean, minimum and maximum over the last window, %; nil when the firmware does not send them.
  package var soundAvg: Int?
  package var soundMin: Int?
  package var soundMax: Int?
  /// Mean and moving average over the window, dBFS, −180…0.
  package var dbfsAvg: Int?
  package var dbfsEwma: Int?
  /// Seconds since the sensor started.
  package var uptime: Int
  package var firmware: String?
  /// Dotted IPv4; nil when the sensor says none.
  package var address: String?
  package var rssi: Int?
  /// FNV-1a, 64 bit, of the payload's bytes: tells two messages of one uptime second apart.
  package var contentHash: UInt64

  package init(
    soundPct: Int, soundAvg: Int? = nil, soundMin: Int? = nil, soundMax: Int? = nil,
    dbfsAvg: Int? = nil, dbfsEwma: Int? = nil, uptime: Int, firmware: String? = nil,
    address: String? = nil, rssi: Int? = nil, contentHash: UInt64 = 0
  ) {
    self.soundPct = soundPct
    self.soundAvg = soundAvg
    self.soundMin = soundMin
    self.soundMax = soundMax
    self.dbfsAvg = dbfsAvg
    self.dbfsEwma = dbfsEwma
    self.uptime = uptime
    self.firmware = firmware
    self.address = address
    self.rssi = rssi
    self.contentHash = contentHash
  }
}
