/// The time of a simulation: spans since it began, at the speed that its owner chose.
package struct SimulatorTime: Sendable {
  private let clock: any Clock<Duration>
  private let speed: Double
  private let elapsed: @Sendable () -> Duration

  /// - Parameter speed: how many simulated seconds pass in one second of the clock.
  package init(clock: any Clock<Duration> = ContinuousClock(), speed: Double = 1) {
    precondition(speed > 0, "time passes forwards")
    self.clock = clock
    self.speed = speed
    elapsed = Self.stopwatch(clock)
  }

  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }

  /// Simulated time since the beginning.
  package var now: Duration { elapsed() * speed }

  /// Waits for a span of simulated time.
  package func sleep(_ span: Duration) async throws {
    try await clock.sleep(for: max(.zero, span / speed))
  }
}
