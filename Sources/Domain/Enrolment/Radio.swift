/// A Bluetooth device address as printed, six upper-case hexadecimal pairs (`AA:BB:CC:DD:EE:FF`).
package struct BluetoothAddress: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  package let text: String

  /// - Returns: nil unless `text` is six hexadecimal pairs joined by colons (either case).
  package init?(_ text: String) {
    let pairs = text.split(separator: ":", omittingEmptySubsequences: false)
    let isPair = { (pair: Substring) in
      pair.utf8.count == 2 && pair.allSatisfy { $0.isASCII && $0.isHexDigit }
    }
    guard pairs.count == 6, pairs.allSatisfy(isPair) else { return nil }
    self.text = text.uppercased()
  }

  package init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let address = BluetoothAddress(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "not a Bluetooth address"))
    }
    self = address
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package var description: String { text }

  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// One hearing of a sensor's advertisement.
package struct Sighting: Hashable, Sendable {
  package let address: BluetoothAddress
  package let name: AdvertisedName
  /// Signal strength in dBm (−127…20); nil when the controller gave none.
  package let rssi: Int?
  package let at: Timestamp

  package init(address: BluetoothAddress, name: AdvertisedName, rssi: Int?, at: Timestamp) {
    self.address = address
    self.name = name
    self.rssi = rssi
    self.at = at
  }
}

/// The gateway's Bluetooth, as enrolment sees it. Every call answers or throws within its own
/// deadline; every error is a `Fault` with a code of the Bluetooth leg.
package protocol Radio: Sendable {
  /// Whether scanning could start now; what is wrong otherwise (off, blocked, absent, denied, no
  /// bluetoothd).
  func condition() async -> RadioCondition

  /// Scans for as long as somebody reads the stream. The stream ends by throwing a `Fault` when the
  /// radio is lost.
  func sightings() async throws(Fault) -> AsyncThrowingStream<Sighting, any Error>

  /// Opens a fresh connection (no cached attributes) and resolves its services.
  ///
  /// - Parameters:
  ///   - progress: called at each attempt and stage, for the person who waits.
  func connect(
    to address: BluetoothAddress, deadlines: LinkDeadlines,
    progress: @escaping @Sendable (LinkProgress) -> Void
  ) async throws(Fault) -> any Link
}

/// Where the adapter stands.
package enum RadioCondition: Hashable, Sendable {
  case ready(adapter: String, address: BluetoothAddress)
  case unusable(Fault)
}

/// What happens while a link opens.
package enum LinkProgress: Hashable, Sendable {
  case attempt(Int)
  case retrying(after: Fault)
  case connected
  case servicesResolved
}

/// How long each part of a link may take.
package struct LinkDeadlines: Hashable, Sendable {
  package var attempt: Duration
  package var total: Duration
  package var services: Duration
  package var operation: Duration

  /// Defaults: 20 s per attempt, 60 s in all, services 10 s, each GATT operation 5 s.
  package init(
    attempt: Duration = .seconds(20), total: Duration = .seconds(60),
    services: Duration = .seconds(10), operation: Duration = .seconds(5)
  ) {
    self.attempt = attempt
    self.total = total
    self.services = services
    self.operation = operation
  }
}

/// An open connection to one sensor. One GATT operation at a time; bytes in, bytes out.
package protocol Link: Sendable {
  var address: BluetoothAddress { get }

  /// The characteristics found, by UUID in lower case, in whatever service.
  var characteristics: Set<String> { get }

  func read(_ characteristic: String) async throws(Fault) -> [UInt8]

  /// Writes with response; returns when the sensor has acknowledged.
  func write(_ bytes: [UInt8], to characteristic: String) async throws(Fault)

  /// Subscribes; values follow until the link ends. One reader.
  func notifications(of characteristic: String) async throws(Fault) -> AsyncStream<[UInt8]>

  /// Ends with the reason when the link is lost, or with nil after `disconnect()`.
  func closed() async -> Fault?

  func disconnect() async
}
