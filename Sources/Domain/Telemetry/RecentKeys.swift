/// What tells one reading from all others: two messages of one sensor, boot and uptime second differ
/// in their content.
package struct ReadingKey: Hashable, Sendable {
  package let sensor: SensorID
  package let boot: Int
  package let uptime: Int
  package let contentHash: UInt64

  package init(sensor: SensorID, boot: Int, uptime: Int, contentHash: UInt64) {
    self.sensor = sensor
    self.boot = boot
    self.uptime = uptime
    self.contentHash = contentHash
  }
}

extension Reading {
  package var key: ReadingKey {
    ReadingKey(
      sensor: sensor, boot: boot, uptime: sound.uptime, contentHash: sound.contentHash)
  }
}

/// The keys of the newest readings, as many as the broker could deliver again.
package struct RecentKeys: Sendable {
  /// Twice the broker's `max_inflight_messages`.
  package static let usualLimit = 4_000

  private struct Content: Hashable {
    let sensor: SensorID
    let uptime: Int
    let contentHash: UInt64

    init(_ key: ReadingKey) {
      sensor = key.sensor
      uptime = key.uptime
      contentHash = key.contentHash
    }
  }

  private let limit: Int
  /// A ring; `oldest` is where the next key goes.
  private var keys: [ReadingKey] = []
  private var oldest = 0
  private var boots: [Content: [Int]] = [:]

  package init(limit: Int = usualLimit) { self.limit = limit }

  package var count: Int { keys.count }

  package func contains(_ key: ReadingKey) -> Bool {
    boots[Content(key)]?.contains(key.boot) ?? false
  }

  /// Whether there is such a key of whatever boot.
  package func containsContent(of key: ReadingKey) -> Bool { boots[Content(key)] != nil }

  package mutating func insert(_ key: ReadingKey) {
    if keys.count < limit {
      keys.append(key)
    } else {
      forget(keys[oldest])
      keys[oldest] = key
      oldest = (oldest + 1) % limit
    }
    boots[Content(key), default: []].append(key.boot)
  }

  private mutating func forget(_ key: ReadingKey) {
    let content = Content(key)
    guard var known = boots[content], let index = known.firstIndex(of: key.boot) else { return }
    known.remove(at: index)
    boots[content] = known.isEmpty ? nil : known
  }
}
