import Domain
import Host

/// The gateway's Bluetooth through BlueZ on the system bus.
///
/// `run()` must run for as long as the radio is used; it survives the loss of adapter, bluetoothd and
/// bus, and takes up its work when they return.
package actor BlueZRadio: Radio {
  private let settings: Settings
  private let service: BlueZService
  private let clock: any Clock<Duration>
  private let now: WallClock
  private let log = Log("bluetooth")
  private var links: [BluetoothAddress: GATTLink] = [:]

  package struct Settings: Sendable {
    /// As D-Bus writes it.
    package var bus: String
    /// Nil takes the first powered adapter.
    package var adapter: BluetoothAddress?
    /// The kind of sensor listened for; nil takes every `…-SENSOR-…`.
    package var kind: SensorKind?
    /// Links the adapter may hold at once; one more is refused.
    package var links: Int
    /// Characteristics a sensor must have, by UUID in lower case.
    package var required: Set<String>
    /// Where the kernel shows the radio switches.
    package var rfkill: String

    package init(
      bus: String = DBus.systemBusAddress, adapter: BluetoothAddress? = nil,
      kind: SensorKind? = .sound, links: Int = 1,
      required: Set<String> = Set(SensorProfile.Characteristic.required.map(\.rawValue)),
      rfkill: String = "/sys/class/rfkill"
    ) {
      self.bus = bus
      self.adapter = adapter
      self.kind = kind
      self.links = links
      self.required = required
      self.rfkill = rfkill
    }
  }

  package init(
    _ settings: Settings, clock: any Clock<Duration> = ContinuousClock(), now: @escaping WallClock
  ) {
    self.settings = settings
    self.clock = clock
    self.now = now
    service = BlueZService(
      busAddress: settings.bus, adapter: settings.adapter,
      rfkill: RFKill(directory: settings.rfkill), clock: clock)
  }

  /// Follows BlueZ until the task is cancelled; then it stops scanning and ends every link, which
  /// BlueZ would keep open for ever.
  package func run() async {
    let discovery = Discovery(service: service, kind: settings.kind)
    // Not a child: it must outlive the cancellation until all is put away.
    let following = Task { [service] in await service.run() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await discovery.run() }
      group.addTask { await self.disconnectOrphans() }
    }
    await Task { await endLinks() }.value
    following.cancel()
    await following.value
  }

  private func endLinks() async {
    for link in links.values { await link.disconnect() }
    // Those still being opened end with the tasks that open them.
    _ = await service.wait(within: .seconds(5)) { $0.linked.isEmpty ? true : nil }
  }

  // MARK: Radio

  package func condition() async -> RadioCondition {
    let answer = await service.wait(within: .seconds(5)) { $0.condition }
    if let answer { return answer }
    return .unusable(await service.snapshot.fault)
  }

  /// Waits for the condition to become another than `known`; nil when the task is cancelled.
  package func condition(after known: RadioCondition) async -> RadioCondition? {
    await service.wait { snapshot -> RadioCondition? in
      snapshot.condition == known ? nil : snapshot.condition
    }
  }

  package func sightings() async throws(Fault) -> AsyncThrowingStream<Sighting, any Error> {
    let adapter = try await usableAdapter()
    return await service.sightings(on: adapter, kind: settings.kind, now: now)
  }

  package func connect(
    to address: BluetoothAddress, deadlines: LinkDeadlines,
    progress: @escaping @Sendable (LinkProgress) -> Void
  ) async throws(Fault) -> any Link {
    guard await service.takeLink(to: address, of: settings.links) else {
      throw Fault(.linksBusy, "\(settings.links) in use")
    }
    do throws(Fault) {
      let opening = LinkOpening(
        service: service, adapter: try await usableAdapter(), address: address,
        deadlines: deadlines, required: settings.required, progress: progress,
        watch: Stopwatch(clock))
      let (device, characteristics) = try await opening.open()
      return await keep(device, characteristics, opening)
    } catch {
      await service.returnLink(to: address)
      throw error
    }
  }

  private func keep(
    _ device: Device, _ characteristics: Set<String>, _ opening: LinkOpening
  ) async -> GATTLink {
    let link = GATTLink(
      address: opening.address, device: device, characteristics: characteristics,
      deadline: opening.deadlines.operation, loss: opening.loss,
      ended: { await self.forget(opening.address) })
    links[opening.address] = link
    await link.begin()
    return link
  }

  private func forget(_ address: BluetoothAddress) async {
    links[address] = nil
    await service.returnLink(to: address)
  }

  // MARK: Behind it

  /// The adapter, as soon as it is known whether there is one.
  private func usableAdapter() async throws(Fault) -> BlueZSnapshot.AdapterInUse {
    let answer = await service.wait(within: .seconds(5)) {
      snapshot -> Result<BlueZSnapshot.AdapterInUse, Fault>? in
      if let adapter = snapshot.usableAdapter { return .success(adapter) }
      return snapshot.standing == .unknown ? nil : .failure(snapshot.fault)
    }
    guard let answer else {
      throw Task.isCancelled ? Fault(.cancelled) : await service.snapshot.fault
    }
    return try answer.get()
  }

  /// How long an orphan may still come up: bluetoothd goes on connecting when whoever asked has died.
  private static let orphanWatch = Duration.seconds(60)

  /// Ends the links to sensors that a crashed run left open: BlueZ keeps them for ever, and a
  /// connected sensor is seen by nobody. Later links that are not ours are somebody else's.
  private func disconnectOrphans() async {
    var seen = 0
    while let epoch = await service.wait(for: { [seen] snapshot in
      snapshot.standing == .present && snapshot.epoch > seen ? snapshot.epoch : nil
    }) {
      seen = epoch
      await disconnectOrphans(of: epoch)
    }
  }

  private func disconnectOrphans(of epoch: Int) async {
    let watch = Stopwatch(clock)
    var closed: Set<String> = []
    while let orphans = await service.wait(
      within: Self.orphanWatch - watch.elapsed,
      for: { [closed] snapshot -> [String]? in
        guard snapshot.standing == .present, snapshot.epoch == epoch,
          watch.elapsed < Self.orphanWatch
        else { return [] }
        let devices = snapshot.tree.adapters.flatMap { snapshot.tree.devices(on: $0.path) }
        let orphans = devices.filter {
          $0.isConnected && !snapshot.linked.contains($0.address) && !closed.contains($0.path)
        }
        return orphans.isEmpty ? nil : orphans.map(\.path)
      }), !orphans.isEmpty
    {
      for path in orphans {
        closed.insert(path)
        log.notice("a link left open by an earlier run is closed", ["device": path])
        await Device(path: path, service: service).disconnect()
      }
    }
  }
}
