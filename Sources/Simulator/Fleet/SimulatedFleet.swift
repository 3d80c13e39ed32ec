import Bluetooth
import Domain

/// A stand-in bluetoothd, sensors on its air, and Wi-Fi networks around them.
///
/// Every sensor has an address of its own on the loopback (127.77.0.1, 127.77.0.2, …), which its
/// networks give it and from which it speaks to the broker.
package actor SimulatedFleet {
  /// The Bluetooth side, for its events and its misbehaviour.
  package nonisolated let bluez: StandInBlueZ
  private let time: SimulatorTime
  private let wallClock: WallClock
  private var world: WiFiWorld
  private var members: [SensorID: Member] = [:]

  private struct Member {
    let runner: SensorRunner
    /// What its networks' DHCP gives it.
    let lease: String
    var pressing: Task<Void, Never>?
  }

  /// A sensor as it is bought, or as it was left.
  package struct Plan: Hashable, Sendable {
    package var id: SensorID
    package var traits: SensorTraits
    package var flash: SensorFlash
    package var sound: SoundScenario
    /// How strongly Bluetooth hears it, dBm.
    package var rssi: Int

    package init(
      id: SensorID, traits: SensorTraits = SensorTraits(), flash: SensorFlash = SensorFlash(),
      sound: SoundScenario = SoundScenario(), rssi: Int = -58
    ) {
      self.id = id
      self.traits = traits
      self.flash = flash
      self.sound = sound
      self.rssi = rssi
    }
  }

  /// - Parameters:
  ///   - busAddress: of a private bus; the fleet owns `org.bluez` there.
  ///   - networks: the Wi-Fi networks; an address in them stands for "DHCP answers".
  package init(
    busAddress: String, networks: [WiFiWorld.Network], time: SimulatorTime = SimulatorTime(),
    wallClock: @escaping WallClock
  ) {
    bluez = StandInBlueZ(busAddress: busAddress, time: time)
    world = WiFiWorld(networks)
    self.time = time
    self.wallClock = wallClock
  }

  /// Takes the name on the bus and powers the sensors.
  package func start(_ plans: [Plan] = []) async throws(BusError) {
    try await bluez.start()
    for plan in plans { await add(plan) }
  }

  /// Cuts every sensor's power and leaves the bus.
  package func stop() async {
    for member in members.values {
      member.pressing?.cancel()
      await member.runner.stop()
    }
    await bluez.stop()
  }

  /// Brings a sensor in and powers it; its Bluetooth is off, as that of every sensor at boot.
  @discardableResult
  package func add(_ plan: Plan) async -> SensorRunner {
    let number = members.count
    let lease = "127.77.\(number / 250).\(number % 250 + 1)"
    let sensor = SimulatedSensor(
      id: plan.id, address: SimulatedSensor.bluetoothAddress(of: plan.id), traits: plan.traits,
      flash: plan.flash, sound: plan.sound, air: world.leasing(lease))
    let runner = SensorRunner(sensor, time: time, wallClock: wallClock)
    members[plan.id] = Member(runner: runner, lease: lease)
    await bluez.add(runner, rssi: plan.rssi)
    await runner.take(.powerUp())
    return runner
  }

  package func sensor(_ id: SensorID) -> SensorRunner? { members[id]?.runner }

  // MARK: What people do

  /// Presses a sensor's button, shortly unless told otherwise.
  package func press(_ id: SensorID, for span: Duration = .milliseconds(200)) async {
    await members[id]?.runner.take(.press(span))
  }

  /// Presses a sensor's button whenever it is neither on the air nor in a link, for as long as it has
  /// no broker: so that a person can find and enrol it at any time.
  package func keepPressing(_ id: SensorID) {
    guard let runner = members[id]?.runner, members[id]?.pressing == nil else { return }
    members[id]?.pressing = Task { [time] in
      while !Task.isCancelled {
        let sensor = await runner.snapshot
        if !sensor.isAdvertised, !sensor.isConnected, !sensor.hasBroker {
          await runner.take(.press(.milliseconds(200)))
        }
        guard (try? await time.sleep(.seconds(2))) != nil else { return }
      }
    }
  }

  /// Takes a sensor's power away and gives it back.
  package func powerCycle(_ id: SensorID, holdingButton: Bool = false) async {
    await members[id]?.runner.take(.powerDown)
    await members[id]?.runner.take(.powerUp(holdingButton: holdingButton))
  }

  // MARK: What the world does

  /// Lets a scenario of sound begin around a sensor.
  package func setSound(_ scenario: SoundScenario, around id: SensorID) async {
    await members[id]?.runner.take(.sound(scenario))
  }

  /// The Bluetooth link to a sensor is lost.
  package func dropLink(to id: SensorID) async {
    await bluez.loseLink(to: SimulatedSensor.bluetoothAddress(of: id))
  }

  /// How strongly Bluetooth hears a sensor, in dBm; nil is out of range.
  package func setSignal(of id: SensorID, rssi: Int?) async {
    await bluez.setSignal(SimulatedSensor.bluetoothAddress(of: id), rssi: rssi)
  }

  /// Changes the Wi-Fi networks, around one sensor or around all.
  package func setNetworks(_ networks: [WiFiWorld.Network], around id: SensorID? = nil) async {
    if id == nil { world = WiFiWorld(networks) }
    for (member, known) in members where id == nil || id == member {
      await known.runner.take(.air(WiFiWorld(networks).leasing(known.lease)))
    }
  }
}

extension WiFiWorld {
  /// The same networks, giving this address wherever DHCP answers.
  fileprivate func leasing(_ address: String) -> WiFiWorld {
    WiFiWorld(
      networks.map {
        var network = $0
        if network.address != nil { network.address = address }
        return network
      })
  }
}
