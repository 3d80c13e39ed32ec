/// Whether the sensor joins the network it was given: the one place of this rule
/// (`docs/sensor-profile.md`, "Wi-Fi verdict").
///
/// It is told what is heard and when its wait is over; it keeps no clock. Clock 0 is the status
/// `Connexion...`, heard after the key was acknowledged; nothing older counts.
package struct WiFiVerdict: Hashable, Sendable {
  /// How long is waited for what.
  package struct Limits: Hashable, Sendable {
    /// From the key's acknowledgement to the beginning of the attempt: the sensor may be in its
    /// boot attempt, which lasts 15 s.
    package var start: Duration
    /// From clock 0, when nothing was heard or no such network.
    package var silence: Duration
    /// From clock 0, when anything else was heard.
    package var answer: Duration
    /// How many refusals of the key are believed.
    package var refusals: Int

    package init(
      start: Duration = .seconds(17), silence: Duration = .seconds(10),
      answer: Duration = .seconds(20), refusals: Int = 2
    ) {
      self.start = start
      self.silence = silence
      self.answer = answer
      self.refusals = refusals
    }
  }

  package enum Outcome: Hashable, Sendable {
    case joined(IPv4Address)
    case failed(Code)
  }

  /// Which wait runs.
  package enum Stage: Hashable, Sendable {
    case start
    case silence
    case answer
    /// It has failed; an address heard now still counts.
    case over
  }

  package let limits: Limits
  package private(set) var stage = Stage.start
  private var hasStarted = false
  private var isAssociated = false
  private var keyRefusals = 0
  /// The last reason that is not 8.
  private var lastReason: Int?
  private var heardOnlyAbsence = true

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// How long the present stage may last, from its beginning; nil once it has failed.
  package var wait: Duration? {
    switch stage {
    case .start: limits.start
    case .silence: limits.silence
    case .answer: limits.answer - limits.silence
    case .over: nil
    }
  }

  /// Takes in one status heard since the key was acknowledged.
  package mutating func hear(_ status: WiFiStatus) -> Outcome? {
    if status == .refused { return fail(.wifiInputRefused) }
    if status == .starting {
      hasStarted = true
      if stage == .start { stage = .silence }
      return nil
    }
    guard hasStarted else { return nil }
    switch status {
    case .joined(let address), .snapshot(let address?): return .joined(address)
    case .associated:
      isAssociated = true
      heardOnlyAbsence = false
    case .left(let reason?) where reason != Reason.leftByItself: return hear(reason: reason)
    default: break
    }
    return nil
  }

  /// The present stage has lasted its `wait`. Nil when another one begins.
  package mutating func timeOut() -> Outcome? {
    switch stage {
    case .start: return fail(.wifiNotStarted)
    case .silence where heardOnlyAbsence:
      return fail(lastReason.map { .wifi(reason: $0) } ?? .wifiSilence)
    case .silence:
      stage = .answer
      return nil
    case .answer:
      let reason = lastReason.map { Code.wifi(reason: $0) }
      return fail(isAssociated ? .noAddress : reason ?? .wifiSilence)
    case .over: return nil
    }
  }

  private mutating func hear(reason: Int) -> Outcome? {
    lastReason = reason
    isAssociated = false
    if reason != Reason.noSuchNetwork { heardOnlyAbsence = false }
    guard Reason.keyRefused.contains(reason) else { return nil }
    keyRefusals += 1
    return keyRefusals >= limits.refusals ? fail(.wifi(reason: reason)) : nil
  }

  private mutating func fail(_ code: Code) -> Outcome? {
    guard stage != .over else { return nil }
    stage = .over
    return .failed(code)
  }

  /// The sensor's disconnect reasons with a meaning of their own here.
  private enum Reason {
    /// The sensor left by itself: never a verdict, as if nothing had been heard.
    static let leftByItself = 8
    static let noSuchNetwork = 201
    static let keyRefused: Set = [15, 202, 204]
  }
}
