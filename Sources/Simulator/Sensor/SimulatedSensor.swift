import Domain

/// A sound sensor as the gateway meets it: a value that is told the time and what happens to it, and
/// answers with what it does (`docs/sensor-profile.md`).
///
/// Time is a span since any fixed moment; it only grows. Between two inputs the owner calls
/// `advance(to:)` at each `nextWake`.
package struct SimulatedSensor: Sendable {
  package let id: SensorID
  package let address: BluetoothAddress
  package let traits: SensorTraits
  /// The settings that survive a restart.
  package var flash: SensorFlash
  /// What is to be heard around it.
  package internal(set) var sound: SoundScenario
  package internal(set) var air: WiFiWorld

  /// Whether it is to be heard on the air.
  package internal(set) var isAdvertised = false

  var now: Duration = .zero
  var timers: [Wake: Duration] = [:]
  var effects: [Effect] = []
  var isPowered = false
  /// Everything that a restart forgets.
  var uptime = Uptime()

  package init(
    id: SensorID, address: BluetoothAddress, traits: SensorTraits = SensorTraits(),
    flash: SensorFlash = SensorFlash(), sound: SoundScenario = SoundScenario(),
    air: WiFiWorld = WiFiWorld()
  ) {
    self.id = id
    self.address = address
    self.traits = traits
    self.flash = flash
    self.sound = sound
    self.air = air
  }

  /// What it advertises, in the scan response only.
  package var name: String { "SOUND-SENSOR-\(id)" }

  /// What happens to a sensor.
  package enum Input: Hashable, Sendable {
    /// The power comes on; with the button going down just after, and staying down for 2.5 s.
    case powerUp(holdingButton: Bool = false)
    case powerDown
    /// The button is released after this long.
    case press(Duration)

    case connect(mtu: Int = 185)
    case disconnect
    case write(SensorCharacteristic, [UInt8])
    case subscribe(SensorCharacteristic, Bool)

    case air(WiFiWorld)
    case sound(SoundScenario)

    /// The answer to `dial`: 0, or the failure in the firmware's count (−4…5).
    case brokerAnswered(Int)
    case brokerLost
    case message(topic: String, payload: [UInt8])
  }

  /// What a sensor does.
  package enum Effect: Hashable, Sendable {
    case advertise(Bool)
    case notify(SensorCharacteristic, [UInt8])
    /// The radio is switched off under an open link: the other side only sees silence.
    case goSilent
    case dial(SensorFlash.Broker)
    /// A clean end leaves the last will unsaid.
    case hangUp(clean: Bool)
    case publish(topic: String, payload: [UInt8], retained: Bool)
    case rebooted
  }

  /// What a sensor waits for.
  enum Wake: Hashable, Sendable, CaseIterable {
    case boot, held, taskWatchdog, restart
    case mainLoop, window, coalesce
    case leave, join, station, deadline, wifiWatchdog, beacon
    case dial, answer, reset
    case sample
  }

  struct Uptime: Sendable {
    var began: Duration = .zero
    /// A start of a Bluetooth stack that has been released never returns.
    var isHung = false
    var radio = SensorRadio()
    var station = SensorStation()
    var session = SensorSession()
    var meter = SoundMeter()
  }

  /// Whether it has been given a broker.
  package var hasBroker: Bool { flash.broker.isComplete }

  package var isConnected: Bool { uptime.radio.link != nil }

  /// The address its network gave it, while it has one.
  package var ip: String? { uptime.station.ip }

  /// Whether Wi-Fi and MQTT are both up.
  package var isOnline: Bool { uptime.session.phase == .connected }

  /// When it next does something by itself; nil while nothing is due.
  package var nextWake: Duration? { timers.values.min() }

  /// Lets time pass, then `input` happen.
  package mutating func take(_ input: Input, at now: Duration) -> [Effect] {
    pass(to: now)
    handle(input)
    return collected()
  }

  /// Lets time pass.
  package mutating func advance(to now: Duration) -> [Effect] {
    pass(to: now)
    return collected()
  }

  private mutating func pass(to moment: Duration) {
    while let (wake, due) = timers.min(by: { ($0.value, $0.key.order) < ($1.value, $1.key.order) }),
      due <= moment
    {
      timers[wake] = nil
      now = max(now, due)
      fire(wake)
      reconsiderAdvertising()
    }
    now = max(now, moment)
  }

  private mutating func collected() -> [Effect] {
    reconsiderAdvertising()
    defer { effects = [] }
    return effects
  }

  mutating func set(_ wake: Wake, after span: Duration) {
    timers[wake] = now + span
  }

  private mutating func handle(_ input: Input) {
    switch input {
    case .air(let world): take(world)
    case .sound(let scenario): take(scenario)
    case .powerUp(let isHeld): powerUp(holdingButton: isHeld)
    case .powerDown: powerDown()
    case .brokerLost: brokerLost()
    case .disconnect: disconnect()
    case _ where !isPowered || uptime.isHung: break
    case .press(let span): press(span)
    case .connect(let mtu): connect(mtu: mtu)
    case .write(let characteristic, let bytes): write(bytes, to: characteristic)
    case .subscribe(let characteristic, let isOn): subscribe(characteristic, isOn)
    case .brokerAnswered(let rc): brokerAnswered(rc)
    case .message(let topic, let payload): take(payload, on: topic)
    }
  }

  private mutating func fire(_ wake: Wake) {
    switch wake {
    case .boot: boot()
    case .held: heldAtPowerUp()
    case .taskWatchdog, .restart: reboot()
    case .mainLoop: passMainLoop()
    case .window: uptime.radio.isWindowOpen = false
    case .coalesce: settleSettings()
    case .leave: leaveNetwork()
    case .join: joinNetwork()
    case .station: stationEvent()
    case .deadline: abandonAttempt()
    case .wifiWatchdog: switchNetwork()
    case .beacon: loseBeacon()
    case .dial: dial()
    case .answer: dialEnded()
    case .reset: resetSettings()
    case .sample: sampleSound()
    }
  }
}

extension SimulatedSensor.Wake {
  /// Settles which of two things due at one moment comes first.
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
