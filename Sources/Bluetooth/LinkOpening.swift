import Domain

/// The opening of one link: from a device that may be stale, absent or half connected to one whose
/// services are resolved and complete, within the deadlines and by every detour BlueZ asks for.
struct LinkOpening: Sendable {
  let service: BlueZService
  let adapter: BlueZSnapshot.AdapterInUse
  let address: BluetoothAddress
  let deadlines: LinkDeadlines
  /// UUIDs in lower case; a device without one of them is no sensor, or shows stale attributes.
  let required: Set<String>
  let progress: @Sendable (LinkProgress) -> Void
  let watch: Stopwatch

  /// The pauses before one more try; the last repeats.
  static let pauses: [Duration] = [
    .milliseconds(250), .milliseconds(500), .seconds(1), .seconds(4),
  ]

  /// - Returns: the connected device and its characteristics.
  /// - Throws: the reason in the end; then nothing is left connected.
  func open() async throws(Fault) -> (Device, Set<String>) {
    do throws(Fault) {
      let (device, found) = try await complete()
      if required.isSubset(of: found) { return (device, found) }
      // Attributes of an earlier firmware, perhaps: forget the device and look once more.
      let (again, foundAgain) = try await complete()
      let missing = required.subtracting(foundAgain)
      if missing.isEmpty { return (again, foundAgain) }
      throw Fault(.characteristicMissing, missing.sorted().joined(separator: " "))
    } catch {
      if let path = await facts()?.path {
        await Device(path: path, service: service).disconnectWhateverHappens()
      }
      throw error
    }
  }

  private func complete() async throws(Fault) -> (Device, Set<String>) {
    await service.hold(address)
    let device: Device
    do throws(Fault) {
      device = try await connected(after: try await forget())
    } catch {
      await service.release(address)
      throw error
    }
    // Discovery went on until Connect returned: BlueZ may drop a device it no longer hears.
    await service.release(address)
    progress(.connected)
    let found = try await resolved(device)
    progress(.servicesResolved)
    return (device, found)
  }

  // MARK: A fresh object

  /// Has BlueZ forget what it knows of the address: cached attributes, and a link that an earlier
  /// run left open.
  ///
  /// - Returns: the birth of the object forgotten.
  private func forget() async throws(Fault) -> Int {
    let facts = await facts()
    // A device without a name is not followed, but may be there: connected before its name was
    // heard, for a run that has died since.
    let path = facts?.path ?? ObjectTree.path(ofDevice: address, on: adapter.path)
    let device = Device(path: path, service: service)
    if facts?.isConnected == true { await device.disconnect() }
    do {
      try await Adapter(path: adapter.path, service: service).remove(device)
    } catch {
      try await check()
      if error.kind != .doesNotExist, error.kind != .unknownObject {
        throw error.fault(else: .connectFailed)
      }
    }
    return facts?.birth ?? 0
  }

  private func facts() async -> ObjectTree.DeviceFacts? {
    await service.snapshot.tree.device(address, on: adapter.path)
  }

  /// Waits for an object that appeared after `birth`.
  private func heard(after birth: Int) async throws(Fault) -> ObjectTree.DeviceFacts {
    let isLost = loss
    let outcome = await service.wait(within: min(deadlines.attempt, left)) {
      [address, adapter] snapshot -> Result<ObjectTree.DeviceFacts, Fault>? in
      if let loss = isLost(snapshot) { return .failure(loss) }
      guard let facts = snapshot.tree.device(address, on: adapter.path) else { return nil }
      return facts.birth > birth ? .success(facts) : nil
    }
    guard let outcome else {
      if Task.isCancelled { throw Fault(.cancelled) }
      // What is not listened for is not heard.
      throw await service.snapshot.refusal ?? Fault(.notSeen, address.text)
    }
    return try outcome.get()
  }

  // MARK: Connecting

  private func connected(after birth: Int) async throws(Fault) -> Device {
    var birth = birth
    var attempt = 0
    var hasVanished = false
    while true {
      let facts = try await heard(after: birth)
      let device = Device(path: facts.path, service: service)
      attempt += 1
      progress(.attempt(attempt))
      let failure: Fault
      do {
        try await device.connect(within: min(deadlines.attempt, left))
        if await self.facts()?.isConnected == true { return device }
        failure = Fault(.connectFailed, "the link was lost as soon as it was open")
      } catch {
        try await check()
        switch error.kind {
        case .unknownObject:
          // BlueZ has dropped the object: another comes when the sensor is heard again.
          failure = Fault(.notSeen, error.message)
          if hasVanished { throw failure }
          hasVanished = true
          birth = facts.birth
        case .timedOut:
          failure = Fault(.connectTimeout, error.message)
        default:
          failure = error.fault(else: .connectFailed)
          if !error.isTransient { throw failure }
        }
      }
      try await recover(device, after: failure, attempt: attempt)
    }
  }

  /// Leaves nothing half open, and waits a little.
  private func recover(
    _ device: Device, after failure: Fault, attempt: Int
  ) async throws(Fault) {
    await device.disconnect()
    let isLost = loss
    _ = await service.wait(within: min(.seconds(10), left)) { snapshot -> Bool? in
      if isLost(snapshot) != nil { return true }
      return snapshot.tree.device(device.path)?.isConnected == true ? nil : true
    }
    try await check()
    let pause = Self.pauses[min(attempt, Self.pauses.count) - 1]
    guard left > pause else { throw failure }
    progress(.retrying(after: failure))
    try? await service.clock.sleep(for: pause)
    try await check()
  }

  // MARK: Services

  private func resolved(_ device: Device) async throws(Fault) -> Set<String> {
    let isLost = loss
    let outcome = await service.wait(within: deadlines.services) {
      snapshot -> Result<Set<String>, Fault>? in
      if let loss = isLost(snapshot) { return .failure(loss) }
      guard let facts = snapshot.tree.device(device.path), facts.isConnected else {
        return .failure(Fault(.linkLost, "while its services were looked up"))
      }
      guard facts.areServicesResolved else { return nil }
      return .success(Set(snapshot.tree.characteristics(of: device.path).keys))
    }
    guard let outcome else {
      throw Task.isCancelled ? Fault(.cancelled) : Fault(.servicesUnresolved, address.text)
    }
    return try outcome.get()
  }

  // MARK: What ends it all

  private var left: Duration { max(.zero, deadlines.total - watch.elapsed) }

  /// Why the radio is lost to this link, if it is.
  var loss: @Sendable (BlueZSnapshot) -> Fault? { { [adapter] in $0.loss(of: adapter) } }

  private func check() async throws(Fault) {
    if Task.isCancelled { throw Fault(.cancelled) }
    if let loss = loss(await service.snapshot) { throw loss }
  }
}
