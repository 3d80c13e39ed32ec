import Domain

/// A well-formed chip id that was heard on the broker and is not registered.
package struct UnclaimedSensor: Hashable, Sendable {
  package let id: SensorID
  package let firstHeard: Timestamp
  package let lastHeard: Timestamp
  package let messages: Int
  /// Its last readable status; nil when none was.
  package let sound: SoundStatus?

  package init(
    id: SensorID, firstHeard: Timestamp, lastHeard: Timestamp, messages: Int,
    sound: SoundStatus?
  ) {
    self.id = id
    self.firstHeard = firstHeard
    self.lastHeard = lastHeard
    self.messages = messages
    self.sound = sound
  }
}

/// The sensors that publish to our broker without being registered, offered for adoption. Held in
/// memory and bounded: the one unheard for longest makes room.
package actor UnclaimedSensors {
  package let limit: Int
  private var sensors: [SensorID: UnclaimedSensor] = [:]

  package init(limit: Int = 64) { self.limit = limit }

  /// The last heard first.
  package var all: [UnclaimedSensor] {
    sensors.values.sorted { ($1.lastHeard, $0.id) < ($0.lastHeard, $1.id) }
  }

  package func find(_ id: SensorID) -> UnclaimedSensor? { sensors[id] }

  /// Notes a fresh message of an unregistered sensor.
  package func hear(_ id: SensorID, _ sound: SoundStatus?, at time: Timestamp) {
    let known = sensors[id]
    if known == nil, sensors.count >= limit,
      let oldest = sensors.values.min(by: { $0.lastHeard < $1.lastHeard })
    {
      sensors[oldest.id] = nil
    }
    sensors[id] = UnclaimedSensor(
      id: id, firstHeard: known?.firstHeard ?? time, lastHeard: time,
      messages: (known?.messages ?? 0) + 1, sound: sound ?? known?.sound)
  }

  /// Forgets those that have been registered meanwhile.
  package func forget(_ registered: some Sequence<SensorID> & Sendable) {
    for id in registered { sensors[id] = nil }
  }
}
