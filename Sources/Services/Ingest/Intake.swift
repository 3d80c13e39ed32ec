import Domain
import FoundationEssentials

/// Turns deliveries into a batch: the part of ingesting that asks nothing of the world.
struct Intake: Sendable {
  var registry: Registry
  private(set) var batch = IngestBatch()
  private var clock: ReadingClock
  /// Since our last reconnect: the rules that fired, and the sensors whose backlog was summed up.
  private var fired: Set<UUID> = []
  private var summarised: Set<SensorID> = []

  /// Something to be told outside the batch, at once.
  enum Notice: Hashable, Sendable {
    case heard(Reading)
    case unclaimed(SensorID, SoundStatus?, at: Timestamp)
    case refused(SensorID, PayloadError)
    case resetAcknowledged(SensorID)
    case counted(Tally)
  }

  /// A reading older than this when it comes in fires no rule by itself.
  static let freshness = Duration.seconds(120)

  init(registry: Registry, clock: ReadingClock) {
    self.registry = registry
    self.clock = clock
  }

  /// - Parameters:
  ///   - time: now, on the loop's stopwatch.
  ///   - awaited: the sensors somebody waits for.
  mutating func take(
    _ delivery: Delivery, at time: Duration, awaited: Set<SensorID>, wallClock: WallClockState
  ) -> [Notice] {
    switch delivery {
    case .connected(let sessionPresent, let moment):
      clock.connected(sessionPresent: sessionPresent, at: moment)
      fired = []
      summarised = []
      return []
    case .disconnected:
      // Its acknowledgements are lost; what is stored will be known when it comes again.
      batch.isUrgent = batch.begun != nil
      return []
    case .oversized(let topic, let bytes):
      open(at: time)
      guard let sensor = Topic(topic)?.sensor else { return [.counted(.oddTopics)] }
      return refuse(.tooLarge(bytes: bytes), from: sensor) + [.counted(.payloadsOversized)]
    case .message(let message):
      open(at: time)
      return take(message, awaited: awaited, wallClock: wallClock)
    }
  }

  private mutating func open(at time: Duration) {
    if batch.begun == nil { batch.begun = time }
    batch.deliveries += 1
  }

  private mutating func take(
    _ message: BrokerMessage, awaited: Set<SensorID>, wallClock: WallClockState
  ) -> [Notice] {
    switch Topic(message.topic) {
    case nil: return [.counted(.oddTopics)]
    case .firmwareStatus: return []
    case .resetAcknowledgement(let sensor):
      return message.isRetained ? [] : [.resetAcknowledged(sensor)]
    case .availability(let sensor):
      noteAvailability(message, of: sensor)
      return []
    case .status(let sensor):
      let isRegistered = registry.sensors[sensor] != nil
      do throws(PayloadError) {
        let sound = try Payload.sound(message.payload)
        if message.isRetained { return keepRetained(message, of: sensor) }
        guard isRegistered || awaited.contains(sensor) else {
          return [.counted(.unclaimedReadings), .unclaimed(sensor, sound, at: message.arrivedAt)]
        }
        return take(
          sound, of: sensor, message, isAwaited: awaited.contains(sensor), wallClock: wallClock)
      } catch {
        if isRegistered || message.isRetained { return refuse(error, from: sensor) }
        return refuse(error, from: sensor) + [.unclaimed(sensor, nil, at: message.arrivedAt)]
      }
    }
  }

  private mutating func take(
    _ sound: SoundStatus, of sensor: SensorID, _ message: BrokerMessage, isAwaited: Bool,
    wallClock: WallClockState
  ) -> [Notice] {
    let placement = clock.place(
      sound, of: sensor, arrivedAt: message.arrivedAt, clock: wallClock)
    if placement == .repeated { return [.counted(.repeats)] }
    batch.isUrgent = batch.isUrgent || isAwaited
    if registry.sensors[sensor] == nil { batch.newcomers.insert(sensor) }
    switch placement {
    case .repeated: return []
    case .waiting(let reading):
      batch.waiting.append(reading)
      return []
    case .uncertain(let reading):
      store(reading, arrivedAt: message.arrivedAt)
      return [.heard(reading)]
    case .dated(let reading, let isLive):
      if isLive { settle(sensor, arrivedAt: message.arrivedAt) }
      store(reading, arrivedAt: message.arrivedAt)
      return [.heard(reading)]
    }
  }

  /// Dates what waited for a live reading of the sensor, as far as it is of the same boot.
  private mutating func settle(_ sensor: SensorID, arrivedAt arrival: Timestamp) {
    let waiting = batch.waiting.filter { $0.sensor == sensor }
    batch.waiting.removeAll { $0.sensor == sensor }
    for reading in waiting { store(clock.date(reading) ?? reading, arrivedAt: arrival) }
  }

  private mutating func store(_ reading: Reading, arrivedAt arrival: Timestamp) {
    batch.readings.append(reading)
    let sensor = reading.sensor
    var state = state(of: sensor)
    state.boot = reading.boot
    state.uptime = reading.sound.uptime
    if reading.isDated { state.lastSeen = max(state.lastSeen ?? reading.at, reading.at) }
    state.firmware = reading.sound.firmware ?? state.firmware
    state.address = reading.sound.address ?? state.address
    state.rssi = reading.sound.rssi ?? state.rssi
    batch.sensorStates[sensor] = state
    evaluate(reading, isFresh: arrival - reading.at <= Self.freshness)
  }

  private mutating func evaluate(_ reading: Reading, isFresh: Bool) {
    guard let sensor = registry.sensors[reading.sensor] else { return }
    for rule in registry.rules[sensor.id] ?? [] {
      let before = batch.ruleStates[rule.id] ?? registry.ruleStates[rule.id] ?? RuleState()
      guard isFresh else {
        batch.backlogs[sensor.id, default: Backlog()].evaluate(
          rule, reading, calibration: sensor.calibrationOffset, state: before)
        continue
      }
      var state = before
      let outcome = rule.evaluate(
        reading, calibration: sensor.calibrationOffset, state: &state)
      if state != before {
        batch.ruleStates[rule.id] = state
        batch.isUrgent = true
      }
      if case .fires(let value) = outcome {
        batch.alerts.append(Alert(of: rule, at: reading.at, value: value))
        fired.insert(rule.id)
      }
    }
  }

  private mutating func noteAvailability(_ message: BrokerMessage, of sensor: SensorID) {
    guard registry.sensors[sensor] != nil,
      let availability = Availability(payload: message.payload)
    else { return }
    var state = state(of: sensor)
    state.note(availability, arrivedAt: message.arrivedAt, isRetained: message.isRetained)
    if state != self.state(of: sensor) { batch.sensorStates[sensor] = state }
  }

  private mutating func keepRetained(_ message: BrokerMessage, of sensor: SensorID) -> [Notice] {
    var state = state(of: sensor)
    if registry.sensors[sensor] != nil, state.retainedStatus != message.payload {
      state.retainedStatus = message.payload
      state.retainedAt = message.arrivedAt
      batch.sensorStates[sensor] = state
    }
    return [.counted(.retainedCopies)]
  }

  private mutating func refuse(_ error: PayloadError, from sensor: SensorID) -> [Notice] {
    if registry.sensors[sensor] != nil {
      var state = state(of: sensor)
      state.refusedPayloads += 1
      batch.sensorStates[sensor] = state
    }
    return [.counted(.payloadsRefused), .refused(sensor, error)]
  }

  private func state(of sensor: SensorID) -> SensorState {
    batch.sensorStates[sensor] ?? registry.states[sensor] ?? SensorState(sensor: sensor)
  }

  /// Closes the batch: what still waits for a date is uncertain, and backlogs are summed up.
  mutating func close(gateway: String, at time: Timestamp) throws -> IngestWrite {
    for reading in batch.waiting { store(reading, arrivedAt: reading.at) }
    for (id, backlog) in batch.backlogs {
      guard let sensor = registry.sensors[id], !summarised.contains(id),
        let summary = backlog.summary(of: sensor, rules: registry.rules[id] ?? [], told: fired)
      else { continue }
      summarised.insert(id)
      batch.alerts.append(summary)
    }
    let batch = batch
    self.batch = IngestBatch()
    return IngestWrite(
      readings: batch.readings, newcomers: batch.newcomers,
      sensorStates: Array(batch.sensorStates.values), ruleStates: batch.ruleStates,
      alerts: batch.alerts,
      messages: try batch.alerts.map { alert in
        let name = alert.sensor.flatMap { registry.sensors[$0]?.name }
        return try OutboxMessage(of: alert, gateway: gateway, sensorName: name, at: time)
      })
  }
}

extension Alert {
  fileprivate init(of rule: Rule, at time: Timestamp, value: Double) {
    self.init(
      id: UUID(), kind: .rule, sensor: rule.sensor, rule: rule.id, severity: rule.severity,
      state: rule.severity.isSilent ? .read : .unread, at: time, label: rule.label,
      field: rule.field, comparison: rule.comparison, threshold: rule.threshold, value: value)
  }
}
