/// The Wi-Fi part of a running sensor.
struct SensorStation: Sendable {
  /// The blocking attempt at boot is under way.
  var isBooting = false
  /// The radio's core holds an association, with or without an address.
  var isAssociated = false
  /// The address, once DHCP has answered.
  var ip: String?
  var attempts = 0
  /// What this attempt still brings, each at its moment.
  var events: [(due: Duration, event: StationEvent)] = []
}

extension SimulatedSensor {
  /// Takes an SSID and a key once both have been written, in either order.
  mutating func takeCredentials() {
    guard let ssid = uptime.radio.ssid, let key = uptime.radio.key else { return }
    uptime.radio.ssid = nil
    uptime.radio.key = nil
    let wifi = SensorFlash.WiFi(ssid: Array(ssid.prefix(63)), key: Array(key.prefix(127)))
    guard !wifi.ssid.isEmpty, wifi.key.count >= 8 else {
      say("Erreur: identifiants invalides")
      return
    }
    flash.wifi = wifi
    uptime.station.attempts = 0
    sayLater("Connexion...")
    switchNetwork()
  }

  /// Begins a switch to the network in flash, or begins it anew.
  mutating func switchNetwork() {
    guard flash.wifi != nil else { return }
    for wake in [Wake.join, .station, .deadline, .wifiWatchdog, .beacon] { timers[wake] = nil }
    uptime.station.events = []
    set(.leave, after: SensorTiming.switchBeforeLeaving)
  }

  mutating func leaveNetwork() {
    endSession(clean: true)
    timers[.dial] = nil
    uptime.station.ip = nil
    if uptime.station.isAssociated {
      uptime.station.isAssociated = false
      sayLater("Déconnecté (r=8)")
    }
    set(.join, after: SensorTiming.switchBeforeJoining)
  }

  mutating func joinNetwork() {
    guard let wifi = flash.wifi else { return }
    set(.deadline, after: SensorTiming.attemptDeadline)
    guard wifi.isStartable else { return }
    uptime.station.events = air.attempt(
      ssid: wifi.ssid.asText, key: wifi.key.asText, cycle: uptime.station.attempts
    ).map { (now + $0.after, $0.event) }
    uptime.station.attempts += 1
    awaitStationEvent()
  }

  /// The stored network is tried once with everything else standing still.
  mutating func joinAtBoot() {
    guard flash.wifi != nil else { return }
    uptime.station.isBooting = true
    joinNetwork()
  }

  private mutating func awaitStationEvent() {
    timers[.station] = uptime.station.events.first?.due
  }

  mutating func stationEvent() {
    switch uptime.station.events.removeFirst().event {
    case .failed(let reason):
      sayLater("Déconnecté (r=\(reason))")
    case .associated:
      uptime.station.isAssociated = true
      sayLater("Connecté (association)")
    case .addressed(let ip):
      uptime.station.ip = ip
      uptime.station.isBooting = false
      timers[.deadline] = nil
      sayLater("Connecté: \(ip)")
      set(.dial, after: SensorTiming.loopPass * 2)
    }
    awaitStationEvent()
  }

  /// The deadline passes without a word; the watchdog starts again.
  mutating func abandonAttempt() {
    uptime.station.events = []
    timers[.station] = nil
    uptime.station.isBooting = false
    set(.wifiWatchdog, after: SensorTiming.wifiWatchdog)
    scheduleLoop()
  }

  mutating func take(_ world: WiFiWorld) {
    air = world
    guard uptime.station.isAssociated else { return }
    if isOnTheAir {
      timers[.beacon] = nil
    } else if timers[.beacon] == nil {
      set(.beacon, after: SensorTiming.beaconLoss)
      endSession(clean: false)
      set(.dial, after: SensorTiming.retries[0])
    }
  }

  mutating func loseBeacon() {
    uptime.station.isAssociated = false
    uptime.station.ip = nil
    uptime.station.events = []
    timers[.station] = nil
    timers[.dial] = nil
    sayLater("Déconnecté (r=200)")
    if timers[.deadline] == nil { set(.wifiWatchdog, after: SensorTiming.wifiWatchdog) }
  }

  /// The network of the flash, if it is there to be used.
  var network: WiFiWorld.Network? {
    guard let wifi = flash.wifi else { return nil }
    return air.network(wifi.ssid.asText, key: wifi.key.asText)
  }

  private var isOnTheAir: Bool { network != nil }
}
