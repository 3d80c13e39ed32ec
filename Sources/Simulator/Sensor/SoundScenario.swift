/// How loud it is around a sensor over time, in percent of full scale (0–100).
package struct SoundScenario: Hashable, Sendable {
  package var steps: [Step]

  package struct Step: Hashable, Sendable {
    /// From this long after the scenario began.
    package var from: Duration
    package var percent: Int

    package init(from: Duration, percent: Int) {
      self.from = from
      self.percent = percent
    }
  }

  /// The level before the first step is the first step's.
  package init(_ steps: [Step]) { self.steps = steps }

  /// The same level for ever.
  package init(steady percent: Int = 30) { steps = [Step(from: .zero, percent: percent)] }

  /// Quiet, and loud from a moment on.
  package static func quietThenLoud(
    after span: Duration, quiet: Int = 30, loud: Int = 90
  ) -> SoundScenario {
    SoundScenario([Step(from: .zero, percent: quiet), Step(from: span, percent: loud)])
  }

  func percent(at span: Duration) -> Int {
    let step = steps.last { $0.from <= span } ?? steps.first
    return min(100, max(0, step?.percent ?? 0))
  }
}
