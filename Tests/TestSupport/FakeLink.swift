import Domain
import Synchronization

/// A link to a sensor that acknowledges what it is given and says what a test makes it say.
package final class FakeLink: Link {
  /// One operation that reached the sensor.
  package struct Operation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case read
      case write
      case subscribe
    }

    package let kind: Kind
    package let characteristic: SensorProfile.Characteristic?
    package let text: String
    package let at: ContinuousClock.Instant
  }

  private struct State {
    var values: [SensorProfile.Characteristic: String]
    var refusals: [SensorProfile.Characteristic: Fault] = [:]
    var dropsAt: SensorProfile.Characteristic?
    var listener: AsyncStream<[UInt8]>.Continuation?
    var isOpen = true
    var loss: Fault?
    var waiters: [CheckedContinuation<Fault?, Never>] = []
  }

  package let address: BluetoothAddress
  package let characteristics: Set<String>
  package let operations = Journal<Operation>()
  private let state: Mutex<State>
  private let onOperation: (@Sendable (Operation) -> Void)?

  /// A sensor that is new: no Wi-Fi, no MQTT.
  package init(
    to sensor: SensorID, at address: BluetoothAddress, wifi: String = "WiFi: Déconnecté",
    mqtt: String = "MQTT: déconnecté*", without missing: Set<SensorProfile.Characteristic> = [],
    onOperation: (@Sendable (Operation) -> Void)? = nil
  ) {
    self.address = address
    self.onOperation = onOperation
    characteristics = Set(SensorProfile.Characteristic.allCases.map(\.rawValue))
      .subtracting(missing.map(\.rawValue))
    state = Mutex(
      State(values: [.deviceID: sensor.text, .wifiStatus: wifi, .mqttStatus: mqtt]))
  }

  // MARK: What a test does

  /// The sensor says something on its Wi-Fi status; a read gives the same.
  package func say(_ text: String) {
    let listener = state.withLock { state in
      state.values[.wifiStatus] = text
      return state.listener
    }
    listener?.yield(Array(text.utf8))
  }

  /// Says it, and returns once the other side has taken it in: a text that makes no sense follows,
  /// which is read again.
  package func sayAndBeHeard(_ text: String) async {
    let reads = operations.all.count { $0.kind == .read }
    say(text)
    say("?")
    await operations.until { $0.count { $0.kind == .read } > reads }
  }

  /// As at the least MTU: twenty bytes are notified, a read gives the whole.
  package func sayCut(_ text: String) {
    let listener = state.withLock { state in
      state.values[.wifiStatus] = text
      return state.listener
    }
    listener?.yield(Array(text.utf8.prefix(20)))
  }

  /// From now on a write to this characteristic is refused.
  package func refuse(_ characteristic: SensorProfile.Characteristic, with fault: Fault) {
    state.withLock { $0.refusals[characteristic] = fault }
  }

  /// The link is lost when this characteristic is written.
  package func drop(at characteristic: SensorProfile.Characteristic) {
    state.withLock { $0.dropsAt = characteristic }
  }

  /// The link is lost.
  package func drop(_ fault: Fault = Fault(.linkLost)) { close(fault) }

  package var isOpen: Bool { state.withLock(\.isOpen) }

  package func wrote(_ characteristic: SensorProfile.Characteristic, times: Int = 1) async {
    await operations.until { operations in
      operations.count { $0.kind == .write && $0.characteristic == characteristic } >= times
    }
  }

  /// What was written, in order.
  package var writes: [Operation] { operations.all.filter { $0.kind == .write } }

  // MARK: Link

  package func read(_ characteristic: String) async throws(Fault) -> [UInt8] {
    try await note(.read, characteristic, "")
    let known = SensorProfile.Characteristic(rawValue: characteristic)
    let value = known.flatMap { known in state.withLock { $0.values[known] } }
    guard let value else { throw Fault(.readFailed, "no value") }
    return Array(value.utf8)
  }

  package func write(_ bytes: [UInt8], to characteristic: String) async throws(Fault) {
    let known = SensorProfile.Characteristic(rawValue: characteristic)
    if state.withLock({ $0.dropsAt == known && known != nil }) { close(Fault(.linkLost)) }
    if let known, let fault = state.withLock({ $0.refusals[known] }) { throw fault }
    try await note(.write, characteristic, String(decoding: bytes, as: UTF8.self))
    switch known {
    case .wifiSSID: say("SSID reçu")
    case .wifiKey: say("PASS reçu")
    default: break
    }
  }

  package func notifications(
    of characteristic: String
  ) async throws(Fault) -> AsyncStream<[UInt8]> {
    try await note(.subscribe, characteristic, "")
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    state.withLock { $0.listener = continuation }
    return stream
  }

  package func closed() async -> Fault? {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if state.isOpen { state.waiters.append(continuation) }
        return !state.isOpen
      }
      if isClosed { continuation.resume(returning: state.withLock(\.loss)) }
    }
  }

  package func disconnect() async { close(nil) }

  private func note(
    _ kind: Operation.Kind, _ characteristic: String, _ text: String
  ) async throws(Fault) {
    guard isOpen else { throw Fault(.linkLost) }
    let operation = Operation(
      kind: kind, characteristic: SensorProfile.Characteristic(rawValue: characteristic),
      text: text, at: .now)
    operations.note(operation)
    onOperation?(operation)
  }

  private func close(_ fault: Fault?) {
    let (waiters, listener) = state.withLock { state in
      defer {
        state.waiters = []
        state.listener = nil
      }
      if state.isOpen {
        state.isOpen = false
        state.loss = fault
      }
      return (state.waiters, state.listener)
    }
    for waiter in waiters { waiter.resume(returning: fault) }
    listener?.finish()
  }
}
