/// Which part of the way from a sensor to its first reading broke, as far as the broker's log tells.
///
/// Feed it every `BrokerEvent` from before the four values are written. Most of the broker's bad news
/// bears no address, so it is this sensor's only while nobody else's connection is nameless.
package struct BrokerVerdict: Hashable, Sendable {
  private let client: String
  private let account: String
  /// Where the sensor connects from; nil when it did not say.
  private let address: String?

  /// Whether the sensor has logged in under the new account: readings after this prove it.
  package private(set) var isConnected = false
  private var otherAccount: String?
  private var hasOpened = false
  private var certain: Fault?
  private var isUncertain = false
  /// Connections opened and not yet named or closed, by address.
  private var nameless: [String: Int] = [:]
  /// Nameless connections that ended without our knowing whose they were.
  private var endedUnknown = 0
  /// A TLS complaint whose connection the next line names.
  private var complaint: Complaint?

  private struct Complaint: Hashable {
    let ip: String?
    let detail: String
  }

  package init(sensor: SensorID, account: String, address: IPv4Address?) {
    client = SensorProfile.clientID(of: sensor)
    self.account = account
    self.address = address?.text
  }

  /// What to say when no reading has come in time.
  package var fault: Fault {
    if isConnected { return Fault(.noFirstReading) }
    if let otherAccount {
      return Fault(.noFirstReading, "the sensor logged in with the account \(otherAccount)")
    }
    if let certain { return certain }
    if isUncertain { return Fault(.sensorRefusedOrTLS) }
    if hasOpened { return Fault(.sensorTLS, "the connection was opened and nothing followed") }
    return Fault(.sensorUnreachable)
  }

  package mutating func observe(_ event: BrokerEvent) {
    switch event {
    case .opened(let ip):
      nameless[ip, default: 0] += 1
      if ip == address { hasOpened = true }
    case .connected(let ip, let client, let user):
      forget(ip)
      guard client == self.client else { return }
      if user == account { isConnected = true } else { otherAccount = user ?? "(none)" }
    case .tlsFailed(let ip, let detail):
      complaint = Complaint(ip: ip, detail: detail)
    case .refused(let ip, let client, let detail):
      complaint = nil
      conclude(Fault(.sensorRefused, detail), ip: ip, client: client)
    case .closed(let client, let ip):
      let complaint = complaint
      self.complaint = nil
      // With a name it is the end of a connection that had come about.
      guard client == nil else { return }
      let detail = complaint?.detail ?? "the connection was closed before it said anything"
      conclude(Fault(.sensorTLS, detail), ip: ip ?? complaint?.ip, client: nil)
    }
  }

  /// Ends a nameless connection and asks whose it was.
  private mutating func conclude(_ fault: Fault, ip: String?, client: String?) {
    let candidates = nameless.filter { $0.value > 0 }.keys
    if client == self.client || ip != nil && ip == address {
      certain = fault
      if let ip = ip ?? address { forget(ip) }
    } else if let ip {
      forget(ip)
    } else if client != nil {
      endedUnknown += 1
    } else if candidates.count == 1, let only = candidates.first {
      if only == address { certain = fault }
      if address == nil { isUncertain = true }
      forget(only)
    } else {
      if address.map(candidates.contains) ?? !candidates.isEmpty { isUncertain = true }
      endedUnknown += 1
    }
    if endedUnknown >= nameless.values.reduce(0, +) {
      nameless = [:]
      endedUnknown = 0
    }
  }

  private mutating func forget(_ ip: String) {
    guard let count = nameless[ip] else { return }
    nameless[ip] = count > 1 ? count - 1 : nil
  }
}
