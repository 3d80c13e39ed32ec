import Domain

/// A chip id made of a number, for tests that need several.
package func sensorID(_ number: Int) -> SensorID {
  let digits = String(number, radix: 16, uppercase: true)
  guard let id = SensorID(String(repeating: "0", count: 12 - digits.count) + digits) else {
    preconditionFailure("\(number) makes no chip id")
  }
  return id
}

/// Status messages as sensors send them, letter by letter.
package enum StatusSample {
  package static let usual =
    #"{"ip":"192.168.1.50","soundPct":34,"soundAvg":33,"soundMin":12,"soundMax":61,"windowSec":5,"#
    + #""dbfsAvg":-43,"dbfsEwma":-43,"soundLevel":1392,"uptime":86,"version":"2.5.0","#
    + #""device_type":"SoundSense"}"#
  package static let silent =
    #"{"ip":"","soundPct":2,"soundAvg":3,"soundMin":0,"soundMax":9,"windowSec":5,"dbfsAvg":-180,"#
    + #""dbfsEwma":-121,"soundLevel":82,"uptime":1209,"version":"2.5.0","#
    + #""device_type":"SoundSense"}"#
  /// The names of older firmware, and no device type.
  package static let oldNames =
    #"{"ip":"10.0.0.7","soundPct":41,"soundPct_avg":39,"soundPct_min":18,"soundPct_max":66,"#
    + #""windowSec":5,"dbfsAvg":-38,"dbfsEwma":-39,"soundLevel":1679,"uptime":5120}"#
  /// Firmware 2.4.1: no decibels, but a signal strength.
  package static let noDecibels =
    #"{"soundPct":72,"soundAvg":68,"soundMin":55,"soundMax":88,"rssi":-67,"uptime":640,"#
    + #""version":"2.4.1","device_type":"SoundSense"}"#
  package static let presence =
    #"{"presence":1,"state":"moving","moving_dist_cm":142,"static_dist_cm":0,"#
    + #""target_dist_cm":142,"moving_energy":64,"static_energy":0,"out_pin":1,"uptime":77,"#
    + #""version":"1.0.0","device_type":"HumanSensor"}"#

  /// A message of today's firmware with this level and uptime.
  package static func status(
    level: Int, maximum: Int? = nil, dbfs: Int = -40, uptime: Int
  ) -> [UInt8] {
    let text =
      #"{"ip":"192.168.1.50","soundPct":\#(level),"soundAvg":\#(level),"soundMin":\#(level),"#
      + #""soundMax":\#(maximum ?? level),"windowSec":5,"dbfsAvg":\#(dbfs),"dbfsEwma":\#(dbfs),"#
      + #""soundLevel":\#(level * 40),"uptime":\#(uptime),"version":"2.5.0","#
      + #""device_type":"SoundSense"}"#
    return Array(text.utf8)
  }
}
