extension SimulatedSensor {
  mutating func take(_ scenario: SoundScenario) {
    measure()
    sound = scenario
    uptime.meter.scenarioBegan = now
  }

  mutating func measure() {
    guard isPowered else { return }
    uptime.meter.listen(to: sound, until: now)
  }

  mutating func sampleSound() {
    measure()
    publishSound(always: false)
    set(.sample, after: SensorTiming.sample)
  }

  /// Publishes when it is time to, when the level has changed, or while it is very loud. What the
  /// cap drops counts as published all the same.
  mutating func publishSound(always: Bool) {
    guard traits.measures, always || isSoundDue else { return }
    uptime.meter.published = (uptime.meter.smoothedByThree, now)
    if let began = uptime.meter.capBegan, now - began < SensorTiming.capWindow {
      guard uptime.meter.sentInCap < SensorTiming.cap else { return }
    } else {
      uptime.meter.capBegan = now
      uptime.meter.sentInCap = 0
    }
    uptime.meter.sentInCap += 1
    let status = SoundPayload.status(
      uptime.meter, ip: uptime.station.ip ?? "",
      uptime: Int((now - uptime.began).components.seconds), firmware: traits.firmware)
    publish(status, to: "\(base)/status", retained: true)
  }

  private var isSoundDue: Bool {
    guard let published = uptime.meter.published else { return true }
    let age = now - published.at
    guard age >= SensorTiming.leastGap else { return false }
    return age >= SensorTiming.period
      || abs(uptime.meter.smoothedByThree - published.average) >= 10
      || uptime.meter.instant >= 80
  }
}
