import Domain
import FoundationEssentials
import Host
import Storage

extension EnrolmentDesk {
  /// The sensors heard lately, as they stand.
  package func nearby() async -> NearbyList { await list(await scanner.snapshot) }

  /// Scans for as long as the stream is read and the scan lasts; the list at every change.
  ///
  /// - Parameter span: how long; nil takes the scan's usual deadline.
  package func scan(for span: Duration? = nil) async -> AsyncStream<NearbyList> {
    let holder = UUID()
    let changes = await scanner.follow()
    await scanner.hold(holder, for: span ?? context.deadlines.scan)
    let (stream, continuation) = AsyncStream.makeStream(
      of: NearbyList.self, bufferingPolicy: .bufferingNewest(16))
    let pump = Task {
      continuation.yield(await nearby())
      for await snapshot in changes {
        let list = await list(snapshot)
        continuation.yield(list)
        if list.endsAt == nil { break }
      }
      continuation.finish()
    }
    continuation.onTermination = { [scanner] _ in
      pump.cancel()
      Task { await scanner.release(holder) }
    }
    return stream
  }

  private func list(_ snapshot: SensorScanner.Snapshot) async -> NearbyList {
    // Names are an ornament: a store that cannot be read takes nothing from the list.
    let sensors = (try? await context.database.read { try SensorStore($0).all() }) ?? []
    let unfinished =
      (try? await context.database.read { try EnrolmentStore($0).unfinished() }) ?? []
    return NearbyList(
      sensors: snapshot.entries.map { entry in
        let id = entry.peripheral.sensor
        return NearbySensor(
          peripheral: entry.peripheral, lastSeen: entry.lastSeen, rssi: entry.rssi,
          knownAs: sensors.first { $0.id == id }?.name,
          enrolment: unfinished.first { $0.sensor == id }?.id)
      },
      endsAt: snapshot.endsAt, fault: snapshot.fault, at: context.now())
  }

  // MARK: Sensors that are online

  /// Whether a sensor was heard over MQTT just now.
  func isOnline(_ sensor: SensorID) async -> Bool {
    let earliest = context.now() - context.deadlines.online
    if let latest = await context.feed.latest(of: sensor), latest.at > earliest { return true }
    if let unclaimed = await context.unclaimed.find(sensor) {
      return unclaimed.lastHeard > earliest
    }
    return false
  }

  /// How an online sensor, whose radio is off, comes back within reach.
  package func waysBack(to sensor: SensorID) async -> [WayBack] {
    let latest = await context.feed.latest(of: sensor)?.sound.address
    let unclaimed = await context.unclaimed.find(sensor)?.sound?.address
    let page = (latest ?? unclaimed).flatMap { IPv4Address($0) }.map {
      WayBack.localPage(url: "http://\($0)/mqtt")
    }
    return [.resetOverMQTT] + (page.map { [$0] } ?? []) + [.powerUpHold]
  }

  /// Tells an online sensor to forget its broker and open its Bluetooth window, and waits for its
  /// answer.
  ///
  /// - Throws: `SG-MQTT-324` when the command cannot be sent, `SG-MQTT-325` when it was sent and no
  ///   answer comes within 5 s.
  package func resetOverMQTT(_ sensor: SensorID, by operator: String) async throws(Fault) {
    log.notice("resetting a sensor over MQTT", ["sensor": sensor, "operator": `operator`])
    let answers = await context.feed.resetAcknowledgements()
    try await context.publish(Topic.resetMQTT(sensor), [])
    let isAnswered = await withTaskGroup(of: Bool.self) { [clock = context.clock] group in
      group.addTask {
        for await answer in answers where answer == sensor { return true }
        return false
      }
      group.addTask {
        try? await clock.sleep(for: .seconds(5))
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
    guard isAnswered else { throw Fault(.sensorSilent, "\(sensor): nothing within 5 s") }
  }

  // MARK: Saved networks

  /// The networks that are offered at the next enrolment, the last used first.
  package func networks() async throws(Fault) -> [OfferedNetwork] {
    try await context.database.read { connection in
      try NetworkStore(connection).all().map {
        OfferedNetwork(ssid: $0.ssid, lastUsedAt: $0.lastUsedAt)
      }
    }
  }

  /// - Returns: false when there is none of that name.
  package func forget(network ssid: String) async throws(Fault) -> Bool {
    try await context.database.write { try NetworkStore($0).forget(ssid) }
  }
}
