import CSodium

/// libsodium, set up before its first use.
enum Sodium {
  private static let isReady: Bool = sodium_init() >= 0

  static func prepare() {
    // It fails only where the system has no source of randomness: nothing can be kept secret there.
    precondition(isReady, "libsodium cannot be initialised")
  }
}
