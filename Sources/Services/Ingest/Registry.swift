import Domain
import FoundationEssentials
import Storage

/// What the store says of sensors and rules, as far as a message is judged by it.
struct Registry: Sendable {
  private(set) var sensors: [SensorID: Sensor] = [:]
  private(set) var states: [SensorID: SensorState] = [:]
  private(set) var rules: [SensorID: [Rule]] = [:]
  private(set) var ruleStates: [UUID: RuleState] = [:]

  init() {}

  init(reading connection: SQLConnection) throws {
    sensors = Dictionary(
      uniqueKeysWithValues: try SensorStore(connection).all().map { ($0.id, $0) })
    states = Dictionary(
      uniqueKeysWithValues: try SensorStateStore(connection).all().map { ($0.sensor, $0) })
    rules = Dictionary(grouping: try RuleStore(connection).all(), by: \.sensor)
    ruleStates = try RuleStore(connection).states()
  }
}

extension ReadingClock {
  /// The clock as the last commit left it.
  init(reading connection: SQLConnection) throws {
    let store = ReadingStore(connection)
    var tracks: [SensorID: Track] = [:]
    var newest: Timestamp?
    for state in try SensorStateStore(connection).all() {
      let last = try store.latest(state.sensor)
      if let last, last.isDated { newest = max(newest ?? last.at, last.at) }
      guard let uptime = state.uptime else { continue }
      let ofThisBoot = last.flatMap { $0.boot == state.boot ? Track(last: $0) : nil }
      tracks[state.sensor] = Track(
        boot: state.boot, uptime: uptime, started: ofThisBoot?.started)
    }
    var keys = RecentKeys()
    for key in try store.recentKeys(RecentKeys.usualLimit).reversed() { keys.insert(key) }
    self.init(tracks: tracks, keys: keys, floor: newest)
  }
}
