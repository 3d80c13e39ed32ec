/// The Wi-Fi networks within reach of a simulated sensor, and what joining each would bring.
package struct WiFiWorld: Hashable, Sendable {
  package var networks: [Network]

  package init(_ networks: [Network] = []) { self.networks = networks }

  package struct Network: Hashable, Sendable {
    package var ssid: String
    package var key: String
    package var security: Security
    package var band: Band
    package var coverage: Coverage
    /// The address its DHCP gives to a sensor (dotted IPv4); nil when DHCP does not answer.
    package var address: String?
    /// False behind a captive portal, client isolation or a firewall: an address, but no broker.
    package var reachesBroker: Bool
    /// The reasons that every attempt to join fails with, in turn; none lets things take their course.
    package var reasons: [Int]

    package init(
      ssid: String, key: String, security: Security = .wpa2, band: Band = .twoPointFour,
      coverage: Coverage = .good, address: String? = "127.0.0.1", reachesBroker: Bool = true,
      reasons: [Int] = []
    ) {
      self.ssid = ssid
      self.key = key
      self.security = security
      self.band = band
      self.coverage = coverage
      self.address = address
      self.reachesBroker = reachesBroker
      self.reasons = reasons
    }

    /// Whether the sensor's radio hears it and accepts its security at all.
    package var isJoinable: Bool {
      band != .five && coverage != .none && (security == .wpa2 || security == .wpa3)
    }
  }

  package enum Security: Hashable, Sendable {
    case open
    case wep
    case wpa1
    case wpa2
    case wpa3
    case enterprise

    /// The reason that a wrong key brings.
    var wrongKeyReason: Int { self == .wpa3 ? 202 : 15 }
  }

  package enum Band: Hashable, Sendable {
    case twoPointFour
    case five
  }

  package enum Coverage: Hashable, Sendable {
    case good
    case weak
    case none
  }

  /// The network that a station of this name and key would be joined to.
  func network(_ ssid: String, key: String) -> Network? {
    networks.first {
      $0.ssid == ssid && $0.key == key && $0.isJoinable
        && $0.coverage == .good && $0.reasons.isEmpty
    }
  }
}

/// What happens to a station during one attempt to join.
enum StationEvent: Hashable, Sendable {
  case failed(reason: Int)
  case associated
  case addressed(String)
}

extension WiFiWorld {
  /// The events of one attempt, each at its time from the start of the attempt, for the fifteen
  /// seconds that an attempt lasts (`docs/sensor-profile.md`, "Typical sequences").
  ///
  /// - Parameter cycle: how many attempts went before, so that a weak signal's reasons go on.
  func attempt(ssid: String, key: String, cycle: Int) -> [(after: Duration, event: StationEvent)] {
    let named = networks.filter { $0.ssid == ssid && $0.isJoinable }
    guard let network = named.first else {
      return failures([201], every: .milliseconds(2700))
    }
    if !network.reasons.isEmpty {
      return failures(network.reasons, every: .milliseconds(2300))
    }
    if network.coverage == .weak {
      let reasons = [2, 200, 15, 4, 203, 205, 204]
      let shifted = (0..<reasons.count).map { reasons[($0 + cycle * 6) % reasons.count] }
      return failures(shifted, every: .milliseconds(2300))
    }
    guard named.contains(where: { $0.key == key }) else {
      return failures([network.security.wrongKeyReason], every: .milliseconds(3600))
    }
    let associated: [(Duration, StationEvent)] = [(.milliseconds(1800), .associated)]
    guard let address = network.address else { return associated }
    return associated + [(.milliseconds(2800), .addressed(address))]
  }

  private func failures(
    _ reasons: [Int], every period: Duration
  ) -> [(after: Duration, event: StationEvent)] {
    let count = Int(SensorTiming.attemptDeadline / period)
    return (0..<count).map { index in
      (period * (index + 1), .failed(reason: reasons[index % reasons.count]))
    }
  }
}
