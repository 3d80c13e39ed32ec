import Domain
import FoundationEssentials
import Services
import Texts

extension API {
  /// A sensor as the list shows it.
  package struct Sensor: Hashable, Sendable, Codable {
    package let chip: SensorID
    package let name: String
    package let kind: String
    package let enrolledAt: Moment
    package let account: String?
    package let calibrationOffset: Double?
    /// When its last reading was; its true last sighting, also when it is offline.
    package let lastSeen: Moment?
    /// Whether that is less than a minute ago.
    package let online: Bool
    /// Last `soundPct`, %.
    package let level: Int?
    package let dbfs: Int?
    package let firmware: String?
    package let ip: String?
    package let rssi: Int?
    package let refusedPayloads: Int
    /// Mean level of each of the last 30 two-minute buckets, %; null where there is no reading.
    package let sparkline: [Double?]
    package let lastAlert: Alert?

    package init(
      _ sensor: Domain.Sensor, last: Domain.Reading?, refusedPayloads: Int, sparkline: [Double?],
      lastAlert: Alert?, now: Timestamp
    ) {
      chip = sensor.id
      name = sensor.name.text
      kind = sensor.kind.description
      enrolledAt = Moment(sensor.enrolledAt)
      account = sensor.account
      calibrationOffset = sensor.calibrationOffset
      lastSeen = Moment(last?.at)
      online = last.map { now - $0.at < .seconds(60) } ?? false
      level = last?.sound.soundPct
      dbfs = last?.sound.dbfsAvg
      firmware = last?.sound.firmware
      ip = last?.sound.address
      rssi = last?.sound.rssi
      self.refusedPayloads = refusedPayloads
      self.sparkline = sparkline
      self.lastAlert = lastAlert
    }
  }

  /// A sensor heard on the broker that nobody has enrolled or adopted.
  package struct UnclaimedSensor: Hashable, Sendable, Codable {
    package let chip: SensorID
    package let level: Int?
    package let lastSeen: Moment
    package let firmware: String?

    package init(_ sensor: Services.UnclaimedSensor) {
      chip = sensor.id
      level = sensor.sound?.soundPct
      lastSeen = Moment(sensor.lastHeard)
      firmware = sensor.sound?.firmware
    }
  }

  package struct Reading: Hashable, Sendable, Codable {
    package let chip: SensorID
    package let at: Moment
    /// False: the moment is uncertain.
    package let dated: Bool
    package let boot: Int
    package let uptime: Int
    package let soundPct: Int
    package let soundAvg: Int?
    package let soundMin: Int?
    package let soundMax: Int?
    package let dbfsAvg: Int?
    package let dbfsEwma: Int?
    package let firmware: String?

    package init(_ reading: Domain.Reading) {
      chip = reading.sensor
      at = Moment(reading.at)
      dated = reading.isDated
      boot = reading.boot
      uptime = reading.sound.uptime
      soundPct = reading.sound.soundPct
      soundAvg = reading.sound.soundAvg
      soundMin = reading.sound.soundMin
      soundMax = reading.sound.soundMax
      dbfsAvg = reading.sound.dbfsAvg
      dbfsEwma = reading.sound.dbfsEwma
      firmware = reading.sound.firmware
    }
  }

  /// A page of readings, the newest first.
  package struct Readings: Hashable, Sendable, Codable {
    package let readings: [Reading]
    /// To be given as `before` for the next page; nil on the last.
    package let next: String?

    package init(readings: [Reading], next: String?) {
      self.readings = readings
      self.next = next
    }
  }

  /// One bucket of a chart; without values where there is no reading.
  package struct Level: Hashable, Sendable, Codable {
    package let from: Moment
    package let to: Moment
    package let count: Int
    package let mean: Double?
    package let min: Double?
    package let max: Double?

    package init(
      from: Timestamp, to: Timestamp, count: Int, mean: Double?, min: Double?, max: Double?
    ) {
      self.from = Moment(from)
      self.to = Moment(to)
      self.count = count
      self.mean = mean
      self.min = min
      self.max = max
    }
  }

  /// A name for a sensor.
  package struct Name: Sendable, Codable {
    package let name: String

    package init(name: String) { self.name = name }
  }
}
