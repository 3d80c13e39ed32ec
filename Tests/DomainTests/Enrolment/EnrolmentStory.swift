import Domain

/// A chosen sensor and the way to each state, for the tests of the machine.
enum EnrolmentStory {
  static let sensor = SensorID("332211CCBBAA")!
  static let peripheral = Peripheral(
    address: BluetoothAddress("AA:BB:CC:11:22:35")!, sensor: sensor,
    firstSeen: Timestamp(seconds: 1_000))
  static let ip = IPv4Address("192.168.1.7")!
  static let delivered = Timestamp(seconds: 1_060)

  static var credentials: WiFiCredentials {
    get throws { try WiFiCredentials(ssid: "Atelier", key: Secret("marker-key")) }
  }

  static func scanning() -> Enrolment { Enrolment() }

  static func connecting() throws -> Enrolment {
    var enrolment = scanning()
    _ = try enrolment.take(.choose(peripheral), validating: .chooseSensor)
    return enrolment
  }

  static func awaitingWiFi() throws -> Enrolment {
    var enrolment = try connecting()
    _ = enrolment.observe(.linkOpened(snapshot: .snapshot(nil)))
    return enrolment
  }

  static func writingWiFi() throws -> Enrolment {
    var enrolment = try awaitingWiFi()
    _ = try enrolment.take(.sendWiFi(credentials), validating: .giveWiFi)
    return enrolment
  }

  static func joiningWiFi() throws -> Enrolment {
    var enrolment = try writingWiFi()
    _ = enrolment.observe(.wifiWritten)
    return enrolment
  }

  static func joined() throws -> Enrolment {
    var enrolment = try joiningWiFi()
    _ = enrolment.observe(.statusHeard(.starting))
    _ = enrolment.observe(.statusHeard(.joined(ip)))
    return enrolment
  }

  static func openingAccount() throws -> Enrolment {
    var enrolment = try joined()
    _ = try enrolment.take(.acceptWiFi, validating: .verifyWiFi)
    _ = enrolment.observe(.accountReserved("332211CCBBAA-1"))
    return enrolment
  }

  static func writingMQTT() throws -> Enrolment {
    var enrolment = try openingAccount()
    _ = enrolment.observe(.accountOpened)
    return enrolment
  }

  static func awaitingReading() throws -> Enrolment {
    var enrolment = try writingMQTT()
    _ = enrolment.observe(.mqttDelivered(at: delivered))
    return enrolment
  }

  static func heard() throws -> Enrolment {
    var enrolment = try awaitingReading()
    _ = enrolment.observe(.readingStored)
    return enrolment
  }

  static func awaitingName() throws -> Enrolment {
    var enrolment = try heard()
    _ = try enrolment.take(.acceptReading, validating: .receiveReading)
    return enrolment
  }

  static func completed() throws -> Enrolment {
    var enrolment = try awaitingName()
    _ = try enrolment.take(.register(SensorName("Salle 1")), validating: .nameSensor)
    return enrolment
  }

  /// One enrolment in each state on the straight way, in order.
  static func all() throws -> [Enrolment] {
    [
      scanning(), try connecting(), try awaitingWiFi(), try writingWiFi(), try joiningWiFi(),
      try joined(), try openingAccount(), try writingMQTT(), try awaitingReading(), try heard(),
      try awaitingName(), try completed(),
    ]
  }
}
