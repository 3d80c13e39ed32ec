extension SimulatedSensor {
  mutating func powerUp(holdingButton: Bool) {
    guard !isPowered else { return }
    isPowered = true
    start()
    uptime.radio.isHeldAtPowerUp = holdingButton
  }

  mutating func powerDown() {
    guard isPowered else { return }
    cutConnections()
    isPowered = false
    timers = [:]
    uptime = Uptime()
  }

  mutating func reboot() {
    cutConnections()
    start()
    effects.append(.rebooted)
  }

  private mutating func start() {
    timers = [:]
    uptime = Uptime(began: now)
    set(.boot, after: SensorTiming.powerUpLook)
  }

  /// What the other sides see of a sensor that is gone without a word.
  private mutating func cutConnections() {
    if uptime.radio.link != nil { effects.append(.goSilent) }
    if uptime.session.phase != .idle { effects.append(.hangUp(clean: false)) }
  }

  mutating func boot() {
    if uptime.radio.isHeldAtPowerUp {
      set(.held, after: SensorTiming.powerUpHold)
    } else {
      joinAtBoot()
    }
  }

  /// The two-second hold: MQTT settings erased, radio on before the stored network is tried. The
  /// topics are not set up in such a boot.
  mutating func heldAtPowerUp() {
    flash.broker = SensorFlash.Broker()
    uptime.session.hasTopics = false
    startRadio()
    joinAtBoot()
  }

  mutating func press(_ span: Duration) {
    guard now - uptime.began >= SensorTiming.buttonDeaf, !isLoopBlocked else { return }
    switch span {
    case ..<SensorTiming.shortPress: break
    case ..<SensorTiming.longPress: startRadio()
    default:
      flash = SensorFlash()
      set(.restart, after: SensorTiming.resetFlicker)
    }
  }

  /// The firmware's one loop stands still while it joins at boot or opens an MQTT session.
  var isLoopBlocked: Bool {
    uptime.isHung || uptime.station.isBooting || uptime.session.phase == .dialling
  }

  mutating func scheduleLoop() {
    guard !isLoopBlocked, timers[.mainLoop] == nil else { return }
    set(.mainLoop, after: SensorTiming.loopPass)
  }

  mutating func passMainLoop() {
    guard !isLoopBlocked else { return }
    speakDeferred()
    takeCredentials()
    if uptime.radio.areSettingsDue { releaseRadio() }
  }
}
