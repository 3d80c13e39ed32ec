/// The measuring part of a running sensor: windows of 30 ms, a moving average, and what the last
/// five seconds held (`docs/sensor-profile.md`, "Status payload").
struct SoundMeter: Sendable {
  /// The instant levels of the last five seconds, 0–100 %, oldest first.
  private(set) var levels: [Int] = []
  /// The moving average, α = 0.25 per window.
  private(set) var average = 0.0
  private var measuredTo: Duration?
  private var noise: UInt32 = 1

  /// When the scenario in force began.
  var scenarioBegan: Duration = .zero
  /// The moving average last published, rounded to a multiple of three, and when.
  var published: (average: Int, at: Duration)?
  var capBegan: Duration?
  var sentInCap = 0

  static let window = Duration.milliseconds(30)
  static let kept = 166

  /// Listens to everything since it last did, or to the last five seconds of it.
  mutating func listen(to scenario: SoundScenario, until now: Duration) {
    var moment = max(measuredTo ?? .zero, now - Self.window * Self.kept)
    while moment + Self.window <= now {
      moment += Self.window
      take(level: scenario.percent(at: moment - scenarioBegan))
    }
    measuredTo = moment
  }

  private mutating func take(level: Int) {
    noise = noise &* 1_664_525 &+ 1_013_904_223
    let swing = level == 0 ? 0 : Int(noise >> 24) % 5 - 2
    // Below −63 dBFS the level is 0: the smallest other one is 3.
    let instant = level + swing < 3 ? 0 : min(100, level + swing)
    average = levels.isEmpty ? Double(instant) : average + 0.25 * (Double(instant) - average)
    levels.append(instant)
    if levels.count > Self.kept { levels.removeFirst(levels.count - Self.kept) }
  }

  var instant: Int { levels.last ?? 0 }
  var smoothed: Int { Int(average.rounded()) }
  var smoothedByThree: Int { byThree(average) }
  var meanByThree: Int { min(99, byThree(mean)) }
  var mean: Double { levels.isEmpty ? 0 : Double(levels.reduce(0, +)) / Double(levels.count) }

  private func byThree(_ value: Double) -> Int { Int((value / 3).rounded()) * 3 }

  /// The level on the scale of full scale: 100 % is 0 dBFS, 0 % stands for −66.
  static func dBFS(ofPercent percent: Double) -> Int {
    percent < 3 ? -66 : Int((percent * 0.65 - 65).rounded())
  }
}
