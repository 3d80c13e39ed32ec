import Bluetooth
import Domain
import Simulator
import Synchronization
import TestSupport
import Testing

/// A radio at work on a private bus, beside a scripted BlueZ with one powered adapter. Time stands
/// still unless the test moves it.
struct Bench {
  let bus: PrivateBus
  let bluez: ScriptedBlueZ
  let radio: BlueZRadio
  let clock: ManualClock
  let running: Task<Void, Never>
}

/// What a bench begins with.
struct Setup {
  var policy = PrivateBus.Policy.open
  /// Nil is the bench's own bus.
  var bus: String?
  var adapter: BluetoothAddress?
  var kind: SensorKind? = .sound
  var rfkill = "/nonexistent"
  /// What BlueZ shows when the radio comes.
  var prepare: @Sendable (ScriptedBlueZ) async throws -> Void = showPoweredAdapter
}

func withBench(_ setup: Setup = Setup(), _ body: (Bench) async throws -> Void) async throws {
  try await withPrivateBus(policy: setup.policy) { bus in
    let bluez = try await ScriptedBlueZ.start(on: bus.address)
    try await setup.prepare(bluez)
    let clock = ManualClock()
    let settings = BlueZRadio.Settings(
      bus: setup.bus ?? bus.address, adapter: setup.adapter, kind: setup.kind,
      required: Set(Air.characteristics), rfkill: setup.rfkill)
    let radio = BlueZRadio(settings, clock: clock, now: { Timestamp(seconds: 1_000) })
    let running = Task { await radio.run() }
    let bench = Bench(bus: bus, bluez: bluez, radio: radio, clock: clock, running: running)
    defer { running.cancel() }
    try await body(bench)
    running.cancel()
    await running.value
    await bluez.stop()
  }
}

@Sendable
func showPoweredAdapter(_ bluez: ScriptedBlueZ) async throws {
  try await bluez.showAdapter()
  try await bluez.appear()
}

extension ScriptedBlueZ {
  func showAdapter(
    _ path: String = Air.adapter, address: String = Air.adapterAddress, isPowered: Bool = true,
    powerState: String? = nil, isDiscovering: Bool = false
  ) async throws {
    var properties: Properties = [
      "Address": .string(address), "Powered": .boolean(isPowered),
      "Discovering": .boolean(isDiscovering),
    ]
    if let powerState { properties["PowerState"] = .string(powerState) }
    try await add(path, Self.adapterInterface, properties)
  }

  /// The sensor is heard, for the first time or again.
  func advertise(
    _ device: String = Air.device, _ properties: Properties = Air.properties()
  ) async throws {
    if has(device) {
      try await set(device, Self.deviceInterface, properties)
    } else {
      try await add(device, Self.deviceInterface, properties)
    }
  }
}

extension Bench {
  func address(_ text: String = Air.address) throws -> BluetoothAddress {
    try #require(BluetoothAddress(text))
  }

  /// Opens a link to the one sensor, which is in the air.
  func connect(
    deadlines: LinkDeadlines = LinkDeadlines(), progress: ProgressRecorder = ProgressRecorder()
  ) async throws -> any Link {
    try await radio.connect(to: address(), deadlines: deadlines) { progress.add($0) }
  }

  /// The fault `connect` ends with.
  func refusedConnect(
    deadlines: LinkDeadlines = LinkDeadlines(), progress: ProgressRecorder = ProgressRecorder()
  ) async throws -> Fault {
    let fault = await #expect(throws: Fault.self) {
      _ = try await connect(deadlines: deadlines, progress: progress)
    }
    return try #require(fault)
  }

  /// The radio's condition; nil is ready.
  func condition() async -> Code? { await radio.condition().code }

  /// Waits, signal by signal, for the condition to be `code`; nil is ready.
  func becomes(_ code: Code?) async {
    var condition = await radio.condition()
    while condition.code != code, let next = await radio.condition(after: condition) {
      condition = next
    }
    #expect(condition.code == code)
  }
}

extension RadioCondition {
  fileprivate var code: Code? {
    if case .unusable(let fault) = self { fault.code } else { nil }
  }
}

/// What `connect` said meanwhile.
final class ProgressRecorder: Sendable {
  private let records = Mutex<[LinkProgress]>([])

  var all: [LinkProgress] { records.withLock { $0 } }

  func add(_ progress: LinkProgress) { records.withLock { $0.append(progress) } }
}
