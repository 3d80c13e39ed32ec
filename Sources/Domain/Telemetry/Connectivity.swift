/// Whether a sensor can be taken to be there. Its availability topic alone does not tell: a clean
/// disconnect leaves `online` behind, and an old session's `offline` may land after a new one's
/// `online`.
package enum Connectivity: Hashable, Sendable {
  /// Nothing was ever heard of it.
  case unknown
  /// A reading came in within the last minute.
  case online
  /// It was said to be offline, and no reading has come in since.
  case offline(since: Timestamp)
  /// It was not said to be offline, and no reading comes in.
  case silent(since: Timestamp)
}

extension SensorState {
  /// How long a sensor may be silent; its rate cap alone can silence it for 30 s.
  package static let patience = Duration.seconds(60)

  package func connectivity(at time: Timestamp) -> Connectivity {
    if isOnline == false, let since = availabilityAt, since >= lastSeen ?? since {
      return .offline(since: since)
    }
    guard let lastSeen else {
      return isOnline == true ? availabilityAt.map { .silent(since: $0) } ?? .unknown : .unknown
    }
    return time - lastSeen <= Self.patience ? .online : .silent(since: lastSeen)
  }

  /// Notes what the availability topic says. A retained copy tells only what was said last, not when:
  /// at the earliest when the sensor was last seen.
  package mutating func note(
    _ availability: Availability, arrivedAt arrival: Timestamp, isRetained: Bool
  ) {
    let isOnline = availability == .online
    if isRetained {
      guard self.isOnline != isOnline else { return }
      availabilityAt = lastSeen ?? arrival
    } else {
      availabilityAt = arrival
    }
    self.isOnline = isOnline
  }
}
