import Domain

extension Database {
  /// The readings of a sensor over a span of any length, summed up as `ReadingStore.buckets` does it.
  /// It is read a day at a time, so that readings are stored meanwhile.
  package nonisolated func history(
    of sensor: SensorID, from: Timestamp, to: Timestamp, width: Duration
  ) async throws(Fault) -> [LevelBucket] {
    let day: Int64 = 86_400_000
    let width = max(1, width.milliseconds)
    // Whole buckets only: one cut in two would come twice.
    let piece = Duration.milliseconds(max(1, day / width) * width)
    var buckets: [LevelBucket] = []
    var start = from
    while start < to {
      let end = min(start + piece, to)
      buckets += try await read { [start] connection in
        try ReadingStore(connection).buckets(
          sensor, from: start, to: end, width: .milliseconds(width))
      }
      start = end
    }
    return buckets
  }
}
