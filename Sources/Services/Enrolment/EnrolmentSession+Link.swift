import Domain
import Host

extension EnrolmentSession {
  // MARK: Opening

  func connect(to peripheral: Peripheral) {
    attempt = nil
    windowOpenedAt = windowOpenedAt ?? peripheral.firstSeen
    farewell?.cancel()
    connection?.cancel()
    connection = Task {
      do throws(Fault) {
        let (link, opening) = try await open(peripheral)
        guard !Task.isCancelled else { return await link.disconnect() }
        adopt(link, opening)
      } catch {
        guard !Task.isCancelled else { return }
        await giveBackSlot()
        post(.linkFailed(explained(error)))
      }
    }
  }

  /// A link on which everything the sensor must have was found, with its Wi-Fi status.
  private func open(_ peripheral: Peripheral) async throws(Fault) -> (any Link, Opening) {
    var link = try await connectOnce(to: peripheral)
    if missing(on: link) != nil {
      // The sensor's attributes may differ from one start to the next: look once more, afresh.
      await link.disconnect()
      link = try await connectOnce(to: peripheral)
    }
    do throws(Fault) {
      if let missing = missing(on: link) { throw Fault(.characteristicMissing, missing) }
      return (link, try await inspect(link, peripheral))
    } catch {
      await link.disconnect()
      throw error
    }
  }

  private func connectOnce(to peripheral: Peripheral) async throws(Fault) -> any Link {
    try await context.radio.connect(
      to: peripheral.address, deadlines: context.deadlines.link
    ) { progress in
      Task { [weak self] in await self?.note(progress) }
    }
  }

  private func note(_ progress: LinkProgress) {
    switch progress {
    case .attempt(let number): attempt = number
    case .retrying(let fault):
      log.info("connecting again", ["enrolment": id, "after": fault])
    case .connected, .servicesResolved: break
    }
    views.yield(view)
  }

  private func missing(on link: any Link) -> String? {
    SensorProfile.Characteristic.required.map(\.rawValue)
      .first { !link.characteristics.contains($0) }
  }

  /// What a link gave when it was opened.
  struct Opening: Sendable {
    let notifications: AsyncStream<[UInt8]>
    let snapshot: WiFiStatus
    let isOnline: Bool
  }

  /// Reads who it is and where it stands; only the Wi-Fi status is subscribed to.
  private func inspect(_ link: any Link, _ peripheral: Peripheral) async throws(Fault) -> Opening {
    let id = try await link.read(.deviceID)
    guard SensorProfile.sensorID(from: id) == peripheral.sensor else {
      throw Fault(.chipMismatch, "it calls itself \(String(decoding: id, as: UTF8.self))")
    }
    let notifications = try await link.notifications(
      of: SensorProfile.Characteristic.wifiStatus.rawValue)
    let snapshot = SensorProfile.wifiStatus(from: try await link.read(.wifiStatus))
    var isOnline = snapshot == .mqtt(.connected)
    if link.characteristics.contains(SensorProfile.Characteristic.mqttStatus.rawValue),
      let status = try? await link.read(.mqttStatus)
    {
      isOnline = isOnline || SensorProfile.isOnline(mqttStatus: status)
    }
    return Opening(notifications: notifications, snapshot: snapshot, isOnline: isOnline)
  }

  private func adopt(_ link: any Link, _ opening: Opening) {
    self.link = link
    saysOnline = opening.isOnline
    let now = context.now()
    if let opened = windowOpenedAt, now - opened >= context.deadlines.window {
      windowOpenedAt = now
    }
    linkWatches = [
      Task {
        let fault = await link.closed()
        guard !Task.isCancelled else { return }
        await linkEnded(fault ?? Fault(.linkLost))
      },
      Task { for await bytes in opening.notifications { await hear(bytes, on: link) } },
    ]
    post(.linkOpened(snapshot: opening.snapshot))
  }

  // MARK: Hearing

  private func hear(_ bytes: [UInt8], on link: any Link) async {
    let status = SensorProfile.wifiStatus(from: bytes)
    if status == .mqtt(.connected) { saysOnline = true }
    guard SensorProfile.mayBeCut(bytes) else {
      return post(.statusHeard(status))
    }
    operate { session in
      guard let whole = try? await link.read(.wifiStatus) else { return }
      await session.post(.statusHeard(SensorProfile.wifiStatus(from: whole)))
    }
  }

  // MARK: Writing

  func writeWiFi(_ credentials: WiFiCredentials) {
    guard let link else { return }
    operate { session in
      let (_, fault) = await Self.write(SensorProfile.writes(of: credentials), over: link)
      await session.post(fault.map { .wifiWriteFailed($0) } ?? .wifiWritten)
    }
  }

  func writeMQTT() async {
    guard let link, let mqtt else { return }
    await watchForProof(afterRestart: false)
    operate { session in
      let (acknowledged, fault) = await Self.write(SensorProfile.writes(of: mqtt), over: link)
      await session.delivered(acknowledged, fault)
    }
  }

  /// Values back to back, off this actor so that nothing of it comes between them.
  private nonisolated static func write(
    _ writes: [SensorProfile.Write], over link: any Link
  ) async -> (acknowledged: Int, fault: Fault?) {
    var acknowledged = 0
    for write in writes {
      do {
        try await link.write(write.bytes, to: write.characteristic.rawValue)
      } catch {
        return (acknowledged, error)
      }
      acknowledged += 1
    }
    return (acknowledged, nil)
  }

  /// One GATT operation, or one row of them, at a time.
  private func operate(_ body: @escaping @Sendable (EnrolmentSession) async -> Void) {
    let previous = gatt
    gatt = Task {
      await previous?.value
      await body(self)
    }
  }

  // MARK: Ending

  func disconnect(after delay: Duration) async {
    guard delay > .zero else { return await closeLink() }
    farewell = Task { [clock = context.clock] in
      guard (try? await clock.sleep(for: delay)) != nil else { return }
      await closeLink()
    }
  }

  func closeLink() async {
    connection?.cancel()
    connection = nil
    for task in linkWatches { task.cancel() }
    linkWatches = []
    let open = link
    link = nil
    await open?.disconnect()
    await giveBackSlot()
  }

  private func linkEnded(_ fault: Fault) async {
    link = nil
    await giveBackSlot()
    post(.linkLost(explained(fault)))
  }

  func giveBackSlot() async {
    guard holdsSlot else { return }
    holdsSlot = false
    await slots.giveBack(by: id)
  }

  /// A sensor out of reach after its window has closed needs its button, whatever the radio says.
  func explained(_ fault: Fault) -> Fault {
    let outOfReach: Set<Code> = [.notSeen, .connectTimeout, .connectFailed, .linkLost]
    guard outOfReach.contains(fault.code), let opened = windowOpenedAt,
      context.now() - opened >= context.deadlines.window
    else { return fault }
    return Fault(.windowClosed, "\(fault)")
  }
}

extension Link {
  func read(_ characteristic: SensorProfile.Characteristic) async throws(Fault) -> [UInt8] {
    try await read(characteristic.rawValue)
  }
}
