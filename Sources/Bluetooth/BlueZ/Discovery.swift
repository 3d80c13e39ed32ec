import Domain
import Host

/// Keeps the adapter discovering whenever somebody wants it to, through all that may stop it: another
/// program's scan, an adapter that goes and returns, a bluetoothd that restarts.
struct Discovery: Sendable {
  let service: BlueZService
  let kind: SensorKind?
  private let log = Log("bluetooth")

  init(service: BlueZService, kind: SensorKind?) {
    self.service = service
    self.kind = kind
  }

  /// Runs until the task is cancelled; then nothing discovers on our behalf.
  func run() async {
    // BlueZ may answer InProgress for hours; it is never asked more often than once a second.
    var backoff = Backoff(first: .seconds(1), cap: .seconds(60), jitter: 0)
    while let target = await wanted() {
      let adapter = Adapter(path: target.path, service: service)
      var hasEnded = false
      do {
        try await adapter.setDiscoveryFilter(kind)
        try await adapter.startDiscovery()
        await note(nil)
        backoff.reset()
        hasEnded = await isOver(target)
      } catch {
        if error.kind != .cancelled { await note(error.fault(else: .scanRefused)) }
      }
      await Task { await adapter.stopDiscovery() }.value
      if !hasEnded { try? await service.clock.sleep(for: backoff.next()) }
    }
  }

  private func wanted() async -> BlueZSnapshot.AdapterInUse? {
    await service.wait { $0.demand > 0 ? $0.usableAdapter : nil }
  }

  private enum Course: Sendable {
    case on, off
    /// Nobody wants it any more, or the adapter is lost.
    case over
  }

  /// Waits until discovery is over (true), or has stopped under us, or hears nothing for so long
  /// (90 s) that it may have stalled (false).
  private func isOver(_ target: BlueZSnapshot.AdapterInUse) async -> Bool {
    let course: @Sendable (BlueZSnapshot) -> Course = {
      if $0.demand == 0 || $0.loss(of: target) != nil { return .over }
      return $0.tree.adapter(target.path)?.isDiscovering == true ? .on : .off
    }
    let beginning = await service.wait(within: .seconds(5)) { snapshot -> Course? in
      course(snapshot) == .off ? nil : course(snapshot)
    }
    guard beginning == .on else { return beginning == .over }
    var hearings = -1
    while await service.snapshot.hearings != hearings, !Task.isCancelled {
      hearings = await service.snapshot.hearings
      let ending = await service.wait(within: .seconds(90)) { snapshot -> Course? in
        course(snapshot) == .on ? nil : course(snapshot)
      }
      if let ending { return ending == .over }
    }
    return false
  }

  private func note(_ fault: Fault?) async {
    guard await service.snapshot.refusal != fault else { return }
    await service.update { $0.refusal = fault }
    if let fault {
      log.warning("scanning does not start, trying again", ["fault": fault])
    }
  }
}
