import Bluetooth
import Domain

/// Connecting, resolving, losing.
extension StandInBlueZ {
  /// BlueZ gives up a connection attempt by itself after this long.
  private static var connectTimeout: Duration { .seconds(20) }
  /// How long a central takes to notice that the other side has gone silent.
  private static var supervision: Duration { .milliseconds(420) }

  func connect(_ call: DBus.IncomingCall) async {
    let path = call.path
    guard let device = objects.properties(path, BlueZInterface.device),
      let address = device["Address"]?.text.flatMap({ BluetoothAddress($0) }),
      let adapter = device["Adapter"]?.text
    else { return refuse(call, .standard(.unknownMethod)) }
    guard adapters[adapter]?.isPowered == true else { return refuse(call, .notReady) }
    guard links[path] == nil else { return refuse(call, .bluez("AlreadyConnected")) }
    guard attempts[path] == nil else { return refuse(call, .inProgress) }
    note(.connecting(address))
    if isTime(for: .vanishBeforeConnect) {
      removeObject(path)
      return refuse(call, .standard(.unknownObject, "no object \(path)"))
    }
    lastNumber += 1
    let number = lastNumber
    attempts[path] = number
    do {
      if isTime(for: .abortByLocal) { return try await abort(call, number) }
      guard let link = try await link(to: address, on: path, number) else {
        if attempts[path] == number { attempts[path] = nil }
        return refuse(call, .abortByLocal)
      }
      attempts[path] = nil
      links[path] = link
      note(.connected(address))
      set(path, BlueZInterface.device, ["Connected": .boolean(true)])
      answer(call)
      try await resolve(path, number)
    } catch {
      refuse(call, .abortByLocal)
    }
  }

  /// Waits for the sensor to be heard and connects to it; nil when that took too long, or when the
  /// attempt was ended meanwhile.
  private func link(
    to address: BluetoothAddress, on path: String, _ number: Int
  ) async throws -> StandInLink? {
    let deadline = time.now + Self.connectTimeout
    let mtu = isTime(for: .smallestMTU) ? 23 : 185
    while time.now < deadline {
      try await time.sleep(.milliseconds(150))
      guard attempts[path] == number else { return nil }
      guard let transmitter = transmitters[address], transmitter.rssi != nil,
        let sensor = transmitter.sensor, await sensor.connect(mtu: mtu, as: number)
      else { continue }
      guard attempts[path] == number else {
        await sensor.disconnect(number)
        return nil
      }
      let traits = await sensor.snapshot.traits
      return StandInLink(
        number: number, address: address, sensor: sensor, traits: traits, mtu: mtu)
    }
    return nil
  }

  /// Up for a moment, then failed, then down (B02).
  private func abort(_ call: DBus.IncomingCall, _ number: Int) async throws {
    set(call.path, BlueZInterface.device, ["Connected": .boolean(true)])
    try await time.sleep(.milliseconds(50))
    refuse(call, .abortByLocal)
    try await time.sleep(.milliseconds(200))
    if attempts[call.path] == number { attempts[call.path] = nil }
    set(call.path, BlueZInterface.device, ["Connected": .boolean(false)])
  }

  private func resolve(_ path: String, _ number: Int) async throws {
    if isTime(for: .neverResolve) { return }
    let loss = occasion { if case .dropBeforeResolved = $0 { true } else { false } }
    if case .dropBeforeResolved(let span) = loss {
      try await time.sleep(span)
      guard let link = links[path], link.number == number else { return }
      return loseLink(to: link.address)
    }
    try await time.sleep(.milliseconds(250))
    guard let link = links[path], link.number == number else { return }
    let isStale = isTime(for: .staleAttributes)
    if isStale { showAttributes(path, base: 0) }
    if !isStale { showAttributes(path, base: number) }
    set(
      path, BlueZInterface.device,
      [
        "UUIDs": .strings(SensorCharacteristic.Service.allCases.map(\.rawValue)),
        "ServicesResolved": .boolean(true),
      ])
    note(.resolved(link.address))
    guard isStale else { return }
    try await time.sleep(.milliseconds(60))
    guard links[path]?.number == number else { return }
    hideAttributes(path)
    showAttributes(path, base: number)
  }

  func disconnect(_ call: DBus.IncomingCall) {
    let path = call.path
    guard links[path] != nil || attempts[path] != nil else { return refuse(call, .notConnected) }
    attempts[path] = nil
    drop(path)
    answer(call)
  }

  /// What a sensor's radio does.
  func heard(_ effect: SimulatedSensor.Effect, from address: BluetoothAddress) {
    switch effect {
    case .advertise(let isOn): transmitters[address]?.isOnAir = isOn
    case .notify(let characteristic, let bytes):
      for (path, link) in links where link.address == address && !link.isSilent {
        notify(bytes, of: characteristic, on: path)
      }
    case .goSilent:
      for (path, link) in links where link.address == address { silence(path, link.number) }
    case .dial, .hangUp, .publish, .rebooted: break
    }
  }

  /// The other side's radio is off: every operation waits, until the supervision timeout.
  private func silence(_ path: String, _ number: Int) {
    links[path]?.isSilent = true
    errand { standIn in
      try await standIn.time.sleep(Self.supervision)
      if standIn.links[path]?.number == number { standIn.drop(path) }
    }
  }

  /// Shows the end of a link, if there is one.
  func drop(_ path: String) {
    guard let link = links[path] else { return }
    endLink(path)
    set(
      path, BlueZInterface.device,
      ["ServicesResolved": .boolean(false), "Connected": .boolean(false)])
    hideAttributes(path)
    note(.disconnected(link.address))
  }

  /// Ends a link without a word about its objects.
  func endLink(_ path: String) {
    guard let link = links.removeValue(forKey: path) else { return }
    for call in link.stalled { refuse(call, .notConnected) }
    if !link.isSilent { errand { _ in await link.sensor.disconnect(link.number) } }
  }
}
