import Domain
import FoundationEssentials
import Host

/// The sensors heard over the air: one scan for all who want to know.
///
/// It runs while somebody holds it, and begins again by itself when the radio comes back.
actor SensorScanner {
  /// One sensor's advertisements at one address.
  struct Entry: Hashable, Sendable {
    let peripheral: Peripheral
    var lastSeen: Timestamp
    var rssi: Int?
  }

  /// The list as it stands.
  struct Snapshot: Hashable, Sendable {
    let entries: [Entry]
    let endsAt: Timestamp?
    let fault: Fault?
  }

  private let radio: any Radio
  private let clock: any Clock<Duration>
  private let now: WallClock
  private let window: Duration
  private var holds: [UUID: Timestamp] = [:]
  private var entries: [BluetoothAddress: Entry] = [:]
  private var fault: Fault?
  private var scan: Task<Void, Never>?
  private let readers = Fanout<Snapshot>(buffer: 16)
  private let log = Log("scanner")

  /// An entry unheard for this long is gone.
  private static let staleness = Duration.seconds(60)
  private static let pause = Duration.seconds(2)

  init(_ context: EnrolmentContext) {
    radio = context.radio
    clock = context.clock
    now = context.now
    window = context.deadlines.window
  }

  /// Scans for `holder` for a time, counted anew at each call.
  func hold(_ holder: UUID, for time: Duration) {
    let end = now() + time
    holds[holder] = end
    Task {
      try? await clock.sleep(for: time)
      if holds[holder] == end { release(holder) }
    }
    guard scan == nil || fault != nil else { return }
    // What kept an earlier scan from running may be put right by now; its pause is not waited for.
    fault = nil
    scan?.cancel()
    scan = Task { await run() }
  }

  func release(_ holder: UUID) {
    guard holds.removeValue(forKey: holder) != nil else { return }
    if holds.isEmpty {
      scan?.cancel()
      scan = nil
    }
    tell()
  }

  /// Changes from now on.
  func follow() -> AsyncStream<Snapshot> { readers.stream() }

  /// The strongest first.
  var snapshot: Snapshot {
    let earliest = now() - Self.staleness
    let current = entries.values.filter { $0.lastSeen > earliest }
    let sorted = current.sorted {
      ($1.rssi ?? -128, $0.peripheral.address) < ($0.rssi ?? -128, $1.peripheral.address)
    }
    return Snapshot(entries: sorted, endsAt: holds.values.max(), fault: fault)
  }

  private func run() async {
    while !Task.isCancelled {
      do {
        if case .unusable(let fault) = await radio.condition() { throw fault }
        let sightings = try await radio.sightings()
        report(nil)
        for try await sighting in sightings { hear(sighting) }
      } catch {
        guard !Task.isCancelled else { return }
        report(error as? Fault ?? Fault(.scanRefused, "\(error)"))
      }
      try? await clock.sleep(for: Self.pause)
    }
  }

  private func report(_ fault: Fault?) {
    guard fault != self.fault else { return }
    self.fault = fault
    if let fault { log.warning("cannot look for sensors", ["fault": fault]) }
    tell()
  }

  private func hear(_ sighting: Sighting) {
    guard sighting.name.kind == .sound else { return }
    let known = entries[sighting.address]
    // Another name, or a long silence, is another opening of the window.
    let isSameWindow =
      known?.peripheral.sensor == sighting.name.sensor
      && sighting.at - (known?.lastSeen ?? sighting.at) < Self.staleness
    let firstSeen = isSameWindow ? known?.peripheral.firstSeen : nil
    entries[sighting.address] = Entry(
      peripheral: Peripheral(
        address: sighting.address, kind: sighting.name.kind, sensor: sighting.name.sensor,
        firstSeen: firstSeen ?? sighting.at),
      lastSeen: sighting.at, rssi: sighting.rssi ?? known?.rssi)
    let earliest = sighting.at - window
    entries = entries.filter { $0.value.lastSeen > earliest }
    tell()
  }

  private func tell() { readers.yield(snapshot) }
}
