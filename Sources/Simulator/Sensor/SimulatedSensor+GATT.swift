import Domain

extension SimulatedSensor {
  /// Loads the stack if need be and opens the five-minute window; after a release in this uptime the
  /// start never returns, and the task watchdog restarts the sensor.
  mutating func startRadio() {
    switch uptime.radio.stack {
    case .released:
      uptime.isHung = true
      timers = [:]
      set(.taskWatchdog, after: SensorTiming.taskWatchdog)
      return
    case .notLoaded:
      uptime.radio.stack = .loaded
      uptime.radio.wifiStatus = SensorRadio.initialStatus
      uptime.radio.mqttStatus = SensorRadio.initialStatus
    case .loaded: break
    }
    uptime.radio.isWindowOpen = true
    set(.window, after: SensorTiming.window)
    closeWindowIfOnline()
  }

  /// With Wi-Fi and MQTT both up the window closes in the pass that opened it.
  mutating func closeWindowIfOnline() {
    guard uptime.session.phase == .connected, uptime.station.ip != nil else { return }
    uptime.radio.isWindowOpen = false
    timers[.window] = nil
  }

  mutating func reconsiderAdvertising() {
    let radio = uptime.radio
    let advertises =
      isPowered && !uptime.isHung && radio.stack == .loaded && radio.isWindowOpen
      && radio.link == nil
    guard advertises != isAdvertised else { return }
    isAdvertised = advertises
    effects.append(.advertise(advertises))
  }

  mutating func connect(mtu: Int) {
    guard isAdvertised else { return }
    uptime.radio.link = SensorRadio.Link(mtu: mtu)
    let station = uptime.station.ip.map { "WiFi: \($0)" } ?? "WiFi: Déconnecté"
    say(Array(station.utf8))
    let broker = flash.broker
    let session =
      uptime.session.phase == .connected
      ? "MQTT: on \(broker.host):\(broker.port)" : "MQTT: déconnecté*"
    uptime.radio.mqttStatus = Array(session.utf8)
  }

  mutating func disconnect() {
    uptime.radio.link = nil
  }

  mutating func subscribe(_ characteristic: SensorCharacteristic, _ isOn: Bool) {
    guard characteristic.flags.contains("notify"), !traits.unsubscribable.contains(characteristic)
    else { return }
    if isOn {
      uptime.radio.link?.subscriptions.insert(characteristic)
    } else {
      uptime.radio.link?.subscriptions.remove(characteristic)
    }
  }

  /// The value of a readable characteristic; empty for the others.
  package func value(of characteristic: SensorCharacteristic) -> [UInt8] {
    switch characteristic {
    case .wifiStatus: uptime.radio.wifiStatus
    case .mqttStatus: uptime.radio.mqttStatus
    case .mqttBase: Array("devices/\(id)".utf8)
    case .deviceID: Array(id.text.utf8)
    default: []
    }
  }

  mutating func write(_ bytes: [UInt8], to characteristic: SensorCharacteristic) {
    guard uptime.radio.link != nil, !traits.missing.contains(characteristic) else { return }
    let damage = traits.garbled.contains(characteristic) ? Array("?".utf8) : []
    let value = bytes.asReceived + damage
    switch characteristic {
    case .wifiSSID:
      uptime.radio.ssid = value
      say("SSID reçu")
      scheduleLoop()
    case .wifiKey:
      uptime.radio.key = value
      say("PASS reçu")
      scheduleLoop()
    case .mqttHost: stage { $0.host = value.asText }
    case .mqttPort:
      let port = Int(value.asText).flatMap { (1...65535).contains($0) ? $0 : nil }
      stage { $0.port = port ?? $0.port }
    case .mqttUser: stage { $0.user = value.asText }
    case .mqttPassword: stage { $0.password = value.asText }
    case .wifiStatus, .mqttStatus, .mqttBase, .deviceID: break
    }
  }

  private mutating func stage(_ change: (inout SensorRadio.Staged) -> Void) {
    change(&uptime.radio.staged)
    say("MQTT reçu (staging)")
    set(.coalesce, after: SensorTiming.coalescing)
  }

  mutating func settleSettings() {
    uptime.radio.areSettingsDue = true
    passMainLoop()
  }

  /// Saves whatever was staged, and gives the whole Bluetooth stack's memory back for TLS.
  mutating func releaseRadio() {
    let staged = uptime.radio.staged
    flash.broker.host = staged.host ?? flash.broker.host
    flash.broker.port = staged.port ?? flash.broker.port
    flash.broker.user = staged.user ?? flash.broker.user
    flash.broker.password = staged.password ?? flash.broker.password
    if uptime.radio.link != nil { effects.append(.goSilent) }
    uptime.radio = SensorRadio(stack: .released)
    timers[.window] = nil
    timers[.coalesce] = nil
    endSession(clean: true)
    set(.dial, after: SensorTiming.releaseBeforeTLS)
  }

  /// Sets WIFI_STATUS and notifies it at once.
  mutating func say(_ text: String) { say(Array(text.utf8)) }

  private mutating func say(_ text: [UInt8]) {
    guard uptime.radio.stack == .loaded else { return }
    uptime.radio.wifiStatus = text
    guard let link = uptime.radio.link, link.subscriptions.contains(.wifiStatus) else { return }
    effects.append(.notify(.wifiStatus, Array(text.prefix(link.mtu - 3))))
  }

  /// Leaves a status for the next pass of the main loop, over the one that waits there already.
  mutating func sayLater(_ text: String) {
    uptime.radio.deferred = Array(text.utf8.prefix(95))
    scheduleLoop()
  }

  mutating func speakDeferred() {
    guard let text = uptime.radio.deferred else { return }
    uptime.radio.deferred = nil
    say(text)
  }
}
