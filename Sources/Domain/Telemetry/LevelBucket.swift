/// The readings of one sensor within one slice of a span, summed up for a chart.
package struct LevelBucket: Hashable, Sendable, Codable {
  /// The slice's first moment.
  package let start: Timestamp
  /// How many readings; a slice without any has no bucket.
  package let count: Int
  /// Least, mean and greatest `soundPct`, 0–100 %.
  package let minimum: Int
  package let mean: Double
  package let maximum: Int
  /// The loudest instant (`soundMax`), %; nil when the firmware does not send it.
  package let peak: Int?
  /// Energy mean of `dbfsAvg`, dBFS; nil when the firmware does not send it.
  package let energyMean: Double?

  package init(
    start: Timestamp, count: Int, minimum: Int, mean: Double, maximum: Int, peak: Int? = nil,
    energyMean: Double? = nil
  ) {
    self.start = start
    self.count = count
    self.minimum = minimum
    self.mean = mean
    self.maximum = maximum
    self.peak = peak
    self.energyMean = energyMean
  }
}
