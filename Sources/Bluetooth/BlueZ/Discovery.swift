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
      do {
        try await adapter.setDiscoveryFilter(kind)
        try await adapter.startDiscovery()
        await note(nil)
        backoff.reset()
        await untilOver(target)
      } catch {
        await note(error.fault(else: .scanRefused))
      }
      await Task { await adapter.stopDiscovery() }.value
      guard await service.snapshot.demand > 0 else { continue }
      try? await service.clock.sleep(for: backoff.next())
    }
  }

  private func wanted() async -> BlueZSnapshot.AdapterInUse? {
    await service.wait { $0.demand > 0 ? $0.usableAdapter : nil }
  }

  /// Waits until nobody wants it any more, or it has stopped under us, or hears nothing for so long
  /// (90 s) that it may have stalled.
  private func untilOver(_ target: BlueZSnapshot.AdapterInUse) async {
    let isOver: @Sendable (BlueZSnapshot) -> Bool = {
      $0.demand == 0 || $0.loss(of: target) != nil
    }
    let isOn = await service.wait(within: .seconds(5)) { snapshot -> Bool? in
      if isOver(snapshot) { return false }
      return snapshot.tree.adapter(target.path)?.isDiscovering == true ? true : nil
    }
    guard isOn == true else { return }
    var hearings = -1
    while await service.snapshot.hearings != hearings, !Task.isCancelled {
      hearings = await service.snapshot.hearings
      let hasStopped = await service.wait(within: .seconds(90)) { snapshot -> Bool? in
        let isDiscovering = snapshot.tree.adapter(target.path)?.isDiscovering == true
        return isOver(snapshot) || !isDiscovering ? true : nil
      }
      if hasStopped == true { return }
    }
  }

  private func note(_ fault: Fault?) async {
    guard await service.snapshot.refusal != fault else { return }
    await service.update { $0.refusal = fault }
    if let fault {
      log.warning("scanning does not start, trying again", ["fault": fault])
    }
  }
}
