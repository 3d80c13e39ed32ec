import Domain

/// What a sensor publishes, byte for byte in the firmware's order of fields.
enum SoundPayload {
  static func status(
    _ meter: SoundMeter, ip: String, uptime: Int, firmware: SensorTraits.Firmware
  ) -> String {
    let hasSamples = !meter.levels.isEmpty
    let mean = hasSamples ? SoundMeter.dBFS(ofPercent: meter.mean) : -90
    let smoothed = hasSamples ? SoundMeter.dBFS(ofPercent: meter.average) : -90
    let scaled = Int(meter.average * 40.95)
    let low = meter.levels.min() ?? 0
    let high = meter.levels.max() ?? 0
    let (prefix, end) =
      switch firmware {
      case .current:
        (
          ["soundAvg", "soundMin", "soundMax"],
          #","version":"\#(firmware.rawValue)","device_type":"SoundSense"}"#
        )
      case .early: (["soundPct_avg", "soundPct_min", "soundPct_max"], "}")
      }
    return #"{"ip":"\#(ip)","soundPct":\#(meter.smoothed),"\#(prefix[0])":\#(meter.meanByThree)"#
      + #","\#(prefix[1])":\#(low),"\#(prefix[2])":\#(high),"windowSec":5"#
      + #","dbfsAvg":\#(mean),"dbfsEwma":\#(smoothed),"soundLevel":\#(scaled)"#
      + #","uptime":\#(uptime)\#(end)"#
  }

  /// The announcement for Home Assistant.
  static func discovery(of id: SensorID, firmware: SensorTraits.Firmware) -> String {
    #"{"name":"SoundSense \#(id)","uniq_id":"\#(id)_sound","stat_t":"devices/\#(id)/status""#
      + #","val_tpl":"{{ value_json.soundPct }}","unit_of_meas":"%","state_class":"measurement""#
      + #","avty_t":"devices/\#(id)/availability","pl_avail":"online","pl_not_avail":"offline""#
      + #","dev":{"identifiers":["esp32c3-\#(id)"],"manufacturer":"Espressif""#
      + #","model":"ESP32-C3 Micro","sw_version":"\#(firmware.rawValue)"}}"#
  }
}
