/// The moment of a crash: the n-th of the things that happen in a round, whatever they are.
actor CrashMoment {
  private var left = 0
  private var waiting: CheckedContinuation<Void, Never>?

  /// Sets it anew, `count` events from now.
  func set(after count: Int) { left = count }

  func happened() {
    left -= 1
    guard left <= 0 else { return }
    waiting?.resume()
    waiting = nil
  }

  func come() async {
    guard left > 0 else { return }
    await withCheckedContinuation { waiting = $0 }
  }
}
