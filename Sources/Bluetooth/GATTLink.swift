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

  private typealias Operation = @Sendable (Characteristic) async throws(BlueZError) -> [UInt8]

  package func read(_ characteristic: String) async throws(Fault) -> [UInt8] {
    let read: Operation = { [deadline] characteristic throws(BlueZError) in
      try await characteristic.read(within: deadline)
    }
    return try await operate(on: characteristic, else: .readFailed, read)
  }

  package func write(_ bytes: [UInt8], to characteristic: String) async throws(Fault) {
    guard bytes.count <= Characteristic.longestValue else {
      throw Fault(
        .writeRefused,
        "\(bytes.count) bytes, at most \(Characteristic.longestValue), for \(characteristic)")
    }
    let write: Operation = { [deadline] characteristic throws(BlueZError) in
      try await characteristic.write(bytes, within: deadline)
      return []
    }
    _ = try await operate(on: characteristic, else: .writeRefused, write)
  }

  package func notifications(
    of characteristic: String
  ) async throws(Fault) -> AsyncStream<[UInt8]> {
    var feed: (path: String, stream: AsyncStream<[UInt8]>)?
    do {
      let start: Operation = { [deadline] characteristic throws(BlueZError) in
        try await characteristic.startNotify(within: deadline)
        return []
      }
      _ = try await operate(on: characteristic, else: .subscriptionFailed, start) { path in
        // Before StartNotify: a value may come before its reply.
        if let feed { await endFeed(feed.path) }
        feed = (path, await service.feed(path))
        notifying.insert(path)
      }
    } catch {
      if let feed { await endFeed(feed.path) }
      throw error
    }
    guard let feed else { throw Fault(.subscriptionFailed, characteristic) }
    return feed.stream
  }

  private func endFeed(_ path: String) async {
    notifying.remove(path)
    await service.endFeed(path)
  }

  /// Looked up anew each time: BlueZ may give an attribute another path at any moment, with nothing
  /// there in between.
  ///
  /// - Parameter gone: a path that is not meant, if BlueZ still shows it.
  private func path(
    of characteristic: String, besides gone: String? = nil
  ) async throws(Fault) -> String {
    let uuid = characteristic.lowercased()
    let missing = Fault(.characteristicMissing, characteristic)
    guard characteristics.contains(uuid) else { throw missing }
    let found = await service.wait(within: deadline) { [device, loss] snapshot -> String?? in
      let path = snapshot.tree.characteristics(of: device.path)[uuid]
      if let path, path != gone { return path }
      return loss(snapshot) == nil ? nil : .some(nil)
    }
    if let path = found ?? nil { return path }
    let snapshot = await service.snapshot
    throw end?.fault ?? loss(snapshot) ?? missing
  }

  /// - Parameter before: told the attribute's path before each attempt.
  private func operate(
    on characteristic: String, else code: Code, _ body: @escaping Operation,
    before: (String) async -> Void = { _ in }
  ) async throws(Fault) -> [UInt8] {
    await takeTurn()
    defer { passTurn() }
    var gone: String?
    while true {
      if let end { throw end.fault }
      let path = try await path(of: characteristic, besides: gone)
      await before(path)
      do throws(BlueZError) {
        return try await attempt(on: path, body).get()
      } catch {
        // The attribute moved after we had looked (B04): nothing has heard this call.
        guard error.kind == .unknownObject, gone == nil else {
          throw await fault(for: error, else: code)
        }
        gone = path
      }
    }
  }

  private func attempt(
    on path: String, _ body: @escaping Operation
  ) async -> Result<[UInt8], BlueZError> {
    let target = Characteristic(path: path, service: service)
    let operation = Task { () -> Result<[UInt8], BlueZError> in
      do throws(BlueZError) {
        return .success(try await body(target))
      } catch {
        return .failure(error)
      }
    }
    self.operation = operation
    defer { self.operation = nil }
    return await withTaskCancellationHandler {
      await operation.value
    } onCancel: {
      operation.cancel()
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
