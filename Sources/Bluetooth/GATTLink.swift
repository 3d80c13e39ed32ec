import Domain
import Host

/// An open connection to one sensor through BlueZ. Operations are carried out one at a time, in the
/// order they were asked for; each has its deadline.
package actor GATTLink: Link {
  package nonisolated let address: BluetoothAddress
  package nonisolated let characteristics: Set<String>

  private let service: BlueZService
  private let device: Device
  private let deadline: Duration
  private let loss: @Sendable (BlueZSnapshot) -> Fault?
  private let ended: @Sendable () async -> Void
  private var end: End?
  private var watch: Task<Void, Never>?
  private var isBusy = false
  private var queue: [CheckedContinuation<Void, Never>] = []
  private var operation: Task<Result<[UInt8], BlueZError>, Never>?
  private var notifying: Set<String> = []
  private var closers: [Int: CheckedContinuation<Fault?, Never>] = [:]
  private var lastCloser = 0

  private enum End: Equatable {
    case byUs
    case lost(Fault)

    var fault: Fault {
      switch self {
      case .byUs: Fault(.linkLost, "the link was closed")
      case .lost(let fault): fault
      }
    }
  }

  package nonisolated var unownedExecutor: UnownedSerialExecutor { service.unownedExecutor }

  /// - Parameters:
  ///   - loss: why the radio is lost to this link, if it is.
  ///   - ended: called once, when the link has ended.
  init(
    address: BluetoothAddress, device: Device, characteristics: Set<String>,
    deadline: Duration, loss: @escaping @Sendable (BlueZSnapshot) -> Fault?,
    ended: @escaping @Sendable () async -> Void
  ) {
    self.address = address
    self.device = device
    self.characteristics = characteristics
    self.deadline = deadline
    self.ended = ended
    service = device.service
    self.loss = { snapshot in
      if let loss = loss(snapshot) { return loss }
      let isConnected = snapshot.tree.device(device.path)?.isConnected == true
      return isConnected ? nil : Fault(.linkLost, "the sensor is no longer connected")
    }
  }

  /// Begins to watch for the link's loss.
  func begin() {
    watch = Task { [service, loss] in
      guard let fault = await service.wait(for: loss) else { return }
      await finish(.lost(fault))
    }
  }

  // MARK: Operations

  package func read(_ characteristic: String) async throws(Fault) -> [UInt8] {
    try await operate(on: characteristic, else: .readFailed) {
      [deadline] characteristic throws(BlueZError) in
      try await characteristic.read(within: deadline)
    }
  }

  package func write(_ bytes: [UInt8], to characteristic: String) async throws(Fault) {
    guard bytes.count <= Characteristic.longestValue else {
      throw Fault(
        .writeRefused,
        "\(bytes.count) bytes, at most \(Characteristic.longestValue), for \(characteristic)")
    }
    _ = try await operate(on: characteristic, else: .writeRefused) {
      [deadline] characteristic throws(BlueZError) in
      try await characteristic.write(bytes, within: deadline)
      return []
    }
  }

  package func notifications(
    of characteristic: String
  ) async throws(Fault) -> AsyncStream<[UInt8]> {
    // Before StartNotify: a value may come before its reply.
    let path = try await path(of: characteristic)
    let stream = await service.feed(path)
    notifying.insert(path)
    do {
      _ = try await operate(on: characteristic, else: .subscriptionFailed) {
        [deadline] characteristic throws(BlueZError) in
        try await characteristic.startNotify(within: deadline)
        return []
      }
    } catch {
      notifying.remove(path)
      await service.endFeed(path)
      throw error
    }
    return stream
  }

  /// Looked up anew each time: BlueZ may give an attribute another path at any moment, with nothing
  /// there in between.
  private func path(of characteristic: String) async throws(Fault) -> String {
    let uuid = characteristic.lowercased()
    let missing = Fault(.characteristicMissing, characteristic)
    guard characteristics.contains(uuid) else { throw missing }
    let found = await service.wait(within: deadline) { [device, loss] snapshot -> String?? in
      if let path = snapshot.tree.characteristics(of: device.path)[uuid] { return path }
      return loss(snapshot) == nil ? nil : .some(nil)
    }
    if let path = found ?? nil { return path }
    let snapshot = await service.snapshot
    throw end?.fault ?? loss(snapshot) ?? missing
  }

  private func operate(
    on characteristic: String, else code: Code,
    _ body: @escaping @Sendable (Characteristic) async throws(BlueZError) -> [UInt8]
  ) async throws(Fault) -> [UInt8] {
    await takeTurn()
    defer { passTurn() }
    if let end { throw end.fault }
    let path = try await path(of: characteristic)
    let target = Characteristic(path: path, service: service)
    let operation = Task { () -> Result<[UInt8], BlueZError> in
      do throws(BlueZError) {
        return .success(try await body(target))
      } catch {
        return .failure(error)
      }
    }
    self.operation = operation
    let result = await withTaskCancellationHandler {
      await operation.value
    } onCancel: {
      operation.cancel()
    }
    self.operation = nil
    switch result {
    case .success(let bytes): return bytes
    case .failure(let error): throw await fault(for: error, else: code)
    }
  }

  /// The loss of the link explains any error better than the error does.
  private func fault(for error: BlueZError, else code: Code) async -> Fault {
    if let end { return end.fault }
    if let loss = loss(await service.snapshot) { return loss }
    return switch error.kind {
    case .timedOut: Fault(.operationTimeout, error.message)
    case .notConnected: Fault(.linkLost, error.message)
    default: error.fault(else: code)
    }
  }

  private func takeTurn() async {
    if isBusy {
      await withCheckedContinuation { queue.append($0) }
    } else {
      isBusy = true
    }
  }

  private func passTurn() {
    if queue.isEmpty { isBusy = false } else { queue.removeFirst().resume() }
  }

  // MARK: The end

  package func closed() async -> Fault? {
    if let end { return end == .byUs ? nil : end.fault }
    lastCloser += 1
    let number = lastCloser
    return await withTaskCancellationHandler {
      await withCheckedContinuation { closers[number] = $0 }
    } onCancel: {
      service.later { _ in self.assumeIsolated { $0.dismiss(number) } }
    }
  }

  private func dismiss(_ number: Int) {
    closers.removeValue(forKey: number)?.resume(returning: nil)
  }

  package func disconnect() async {
    guard end == nil else { return }
    end = .byUs
    watch?.cancel()
    operation?.cancel()
    for path in notifying {
      await Characteristic(path: path, service: service).stopNotify(within: deadline)
    }
    await device.disconnectWhateverHappens()
    await close(nil)
  }

  private func finish(_ end: End) async {
    guard self.end == nil else { return }
    self.end = end
    operation?.cancel()
    await close(end.fault)
  }

  private func close(_ fault: Fault?) async {
    for path in notifying { await service.endFeed(path) }
    notifying = []
    for closer in closers.values { closer.resume(returning: fault) }
    closers = [:]
    await ended()
  }
}
