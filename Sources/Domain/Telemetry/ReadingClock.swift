/// Gives readings what sensors do not send: a moment, a boot, and whether they came before
/// (`docs/architecture.md`, "Time").
///
/// A reading is dated by its arrival. Only the backlog that a broker kept while *we* were away comes
/// late, all at once; it is dated by `uptime`, from the moment the sensor started. That moment is known
/// from a live reading of the same boot: from before the break, or from the first one after the
/// backlog. What cannot be dated is uncertain.
package struct ReadingClock: Sendable {
  /// What is remembered of a sensor.
  package struct Track: Hashable, Sendable {
    package var boot: Int
    package var uptime: Int
    /// When this boot began, by the last live reading; nil when that is not known.
    package var started: Timestamp?

    package init(boot: Int, uptime: Int, started: Timestamp?) {
      self.boot = boot
      self.uptime = uptime
      self.started = started
    }

    /// - Parameter last: the newest reading of the sensor in the store.
    package init(last: Reading) {
      self.init(
        boot: last.boot, uptime: last.sound.uptime,
        started: last.isDated ? last.at - .seconds(last.sound.uptime) : nil)
    }
  }

  /// What a message turned out to be.
  package enum Placement: Hashable, Sendable {
    /// It came before, and changes nothing.
    case repeated
    /// A reading; `isLive` unless it belongs to a backlog.
    case dated(Reading, isLive: Bool)
    /// A reading whose moment cannot be worked out.
    case uncertain(Reading)
    /// A reading of a backlog that the next live reading of its boot will date. Until then it is
    /// as good as uncertain.
    case waiting(Reading)
  }

  /// A time before this is a clock that has not been set.
  package static let earliest = Timestamp(seconds: 1_767_225_600)  // 2026-01-01

  /// How far `uptime` and the wall clock may differ in a live reading.
  private static let tolerance = Duration.seconds(3)
  /// How long a backlog may take to come in.
  private static let longestBacklog = Duration.seconds(300)

  private var tracks: [SensorID: Track]
  private var keys: RecentKeys
  private let floor: Timestamp
  private var recovery: Recovery?

  /// The time after our own reconnect during which a backlog may come in.
  private struct Recovery: Sendable {
    let since: Timestamp
    /// The sensors whose backlog is over.
    var live: Set<SensorID> = []
    /// Each sensor's last message in this recovery.
    var previous: [SensorID: (boot: Int, uptime: Int, arrival: Timestamp)] = [:]
  }

  /// - Parameters:
  ///   - keys: those of the newest readings stored.
  ///   - floor: the newest time in the store; a clock that is behind it, and not synchronised, is not
  ///     believed.
  package init(
    tracks: [SensorID: Track] = [:], keys: RecentKeys = RecentKeys(),
    floor: Timestamp? = nil
  ) {
    self.tracks = tracks
    self.keys = keys
    self.floor = floor ?? Self.earliest
  }

  /// To be called at each connection. Only a session that the broker kept holds a backlog.
  package mutating func connected(sessionPresent: Bool, at time: Timestamp) {
    recovery = sessionPresent ? Recovery(since: time) : nil
  }

  /// Places a message that is not a retained copy.
  ///
  package mutating func place(
    _ sound: SoundStatus, of sensor: SensorID, arrivedAt arrival: Timestamp,
    clock: WallClockState = .synchronised
  ) -> Placement {
    let isRecovering = recovery.map { !$0.live.contains(sensor) } ?? false
    var track = tracks[sensor] ?? Track(boot: 1, uptime: sound.uptime, started: nil)
    var key = ReadingKey(
      sensor: sensor, boot: track.boot, uptime: sound.uptime, contentHash: sound.contentHash)
    if isRecovering, mayBeRedelivery(sensor), keys.containsContent(of: key) { return .repeated }
    if sound.uptime < track.uptime {
      track.boot += 1
      track.started = nil
      key = ReadingKey(
        sensor: sensor, boot: track.boot, uptime: key.uptime, contentHash: key.contentHash)
    }
    if keys.contains(key) { return .repeated }
    keys.insert(key)
    track.uptime = sound.uptime
    defer { tracks[sensor] = track }

    let make = { (time: Timestamp, isDated: Bool) in
      Reading(sensor: sensor, at: time, isDated: isDated, boot: key.boot, sound: sound)
    }
    guard isBelievable(arrival, clock) else { return .uncertain(make(arrival, false)) }
    let reckoned = isRecovering ? track.started.map { $0 + .seconds(sound.uptime) } : nil
    if !isRecovering || isLive(sound.uptime, of: sensor, in: track, arrivedAt: arrival) {
      recovery?.live.insert(sensor)
      // Delivered again after a moment's break, it keeps the moment that it had.
      if let reckoned, (.zero...Self.tolerance).contains(arrival - reckoned) {
        return .dated(make(reckoned, true), isLive: true)
      }
      track.started = arrival - .seconds(sound.uptime)
      return .dated(make(arrival, true), isLive: true)
    }
    recovery?.previous[sensor] = (track.boot, sound.uptime, arrival)
    guard let reckoned else { return .waiting(make(arrival, false)) }
    return reckoned < Self.earliest
      ? .uncertain(make(arrival, false)) : .dated(make(reckoned, true), isLive: false)
  }

  /// Dates a waiting reading, once a live one of its boot has come.
  package func date(_ waiting: Reading) -> Reading? {
    guard let track = tracks[waiting.sensor], track.boot == waiting.boot,
      let started = track.started
    else { return nil }
    return Reading(
      sensor: waiting.sensor, at: min(started + .seconds(waiting.sound.uptime), waiting.at),
      boot: waiting.boot, sound: waiting.sound)
  }

  /// What was stored and not acknowledged is delivered again before anything else, so the first message
  /// that is new ends it. Only until then does an older uptime not mean another boot.
  private func mayBeRedelivery(_ sensor: SensorID) -> Bool {
    recovery?.previous[sensor] == nil
  }

  private func isBelievable(_ time: Timestamp, _ clock: WallClockState) -> Bool {
    switch clock {
    case .synchronised: time >= Self.earliest
    case .unsynchronised: time >= max(floor, Self.earliest)
    case .settling: false
    }
  }

  /// Whether a message that comes while a backlog may come in was published just now: its uptime
  /// agrees with the wall clock, or has grown as much as the wall clock since the one before, or it
  /// comes long after any backlog.
  private func isLive(
    _ uptime: Int, of sensor: SensorID, in track: Track, arrivedAt arrival: Timestamp
  ) -> Bool {
    guard let recovery else { return true }
    if let started = track.started, arrival - .seconds(uptime) - started <= Self.tolerance {
      return true
    }
    if let previous = recovery.previous[sensor], previous.boot == track.boot,
      uptime - previous.uptime >= 5
    {
      let drift = arrival - previous.arrival - .seconds(uptime - previous.uptime)
      if abs(drift.milliseconds) <= Self.tolerance.milliseconds { return true }
    }
    return arrival - recovery.since > Self.longestBacklog
  }
}

/// How far the machine's wall clock can be believed.
package enum WallClockState: Hashable, Sendable {
  case synchronised
  /// No time source is at hand; the clock runs on by itself.
  case unsynchronised
  /// The machine has started a moment ago and its time source has not answered yet: the clock may
  /// still show the hour of the last shutdown.
  case settling
}
