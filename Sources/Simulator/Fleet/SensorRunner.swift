import Domain

/// Lets a `SimulatedSensor` live: gives it the time, carries its messages to a broker, and hands what
/// its radio does to whoever listens on the air.
package actor SensorRunner {
  package nonisolated let id: SensorID
  package nonisolated let address: BluetoothAddress
  package nonisolated let name: String
  /// What the radio does, in order; one reader.
  nonisolated let radio: AsyncStream<SimulatedSensor.Effect>

  /// Something the sensor did, and when.
  package struct Deed: Hashable, Sendable {
    package let at: Duration
    package let effect: SimulatedSensor.Effect
  }

  private var sensor: SimulatedSensor
  private let time: SimulatorTime
  private let wallClock: WallClock
  private let radioEffects: AsyncStream<SimulatedSensor.Effect>.Continuation
  private var journal = Journal<Deed>()
  private var alarm: Task<Void, Never>?
  private var uplink: Uplink?
  private var lastDial = 0
  private var link: Int?

  package init(_ sensor: SimulatedSensor, time: SimulatorTime, wallClock: @escaping WallClock) {
    id = sensor.id
    address = sensor.address
    name = sensor.name
    self.sensor = sensor
    self.time = time
    self.wallClock = wallClock
    (radio, radioEffects) = AsyncStream.makeStream(of: SimulatedSensor.Effect.self)
  }

  /// The sensor as it stands.
  package var snapshot: SimulatedSensor { sensor }

  /// What it has done and does; one reader.
  package func deeds() -> AsyncStream<Deed> { journal.stream() }

  package func take(_ input: SimulatedSensor.Input) async {
    await carryOut(sensor.take(input, at: time.now))
  }

  /// A central connects; false when the sensor is not advertising.
  ///
  /// - Parameter number: names the link, so that the end of an older one cannot end it.
  func connect(mtu: Int, as number: Int) async -> Bool {
    guard sensor.isAdvertised else { return false }
    link = number
    await take(.connect(mtu: mtu))
    return true
  }

  func disconnect(_ number: Int) async {
    guard link == number else { return }
    link = nil
    await take(.disconnect)
  }

  /// Cuts the power and ends every stream.
  package func stop() async {
    await take(.powerDown)
    alarm?.cancel()
    radioEffects.finish()
    journal.finish()
  }

  private func wake() async {
    await carryOut(sensor.advance(to: time.now))
  }

  private func carryOut(_ effects: [SimulatedSensor.Effect]) async {
    setAlarm()
    for effect in effects {
      journal.note(Deed(at: time.now, effect: effect))
      switch effect {
      case .advertise, .notify, .goSilent: radioEffects.yield(effect)
      case .dial(let broker): dial(broker)
      case .hangUp(let isClean):
        let uplink = uplink
        self.uplink = nil
        await uplink?.close(cleanly: isClean)
      case .publish(let topic, let payload, let isRetained):
        uplink?.publish(payload, to: topic, retained: isRetained)
      case .rebooted: break
      }
    }
  }

  private func setAlarm() {
    alarm?.cancel()
    guard let wake = sensor.nextWake else { return }
    alarm = Task { [time] in
      guard (try? await time.sleep(wake - time.now)) != nil else { return }
      await self.wake()
    }
  }

  private func dial(_ broker: SensorFlash.Broker) {
    lastDial += 1
    let number = lastDial
    uplink = Uplink(
      of: id, to: broker, from: sensor.ip, isTrusting: !sensor.traits.verifiesCertificates,
      wallClock: wallClock
    ) { [weak self] event in
      await self?.heard(event, onDial: number)
    }
  }

  /// Words of an uplink that has been given up meanwhile are of no interest.
  private func heard(_ event: Uplink.Event, onDial number: Int) async {
    guard number == lastDial, uplink != nil else { return }
    switch event {
    case .answered(let rc):
      if rc != 0 { uplink = nil }
      await take(.brokerAnswered(rc))
    case .message(let topic, let payload):
      await take(.message(topic: topic, payload: payload))
    case .lost:
      uplink = nil
      await take(.brokerLost)
    }
  }
}
