/// The one table of codes. A new code gets a constant here, a place in `all`, and its words in
/// `Texts` (a test holds the three together).
extension Code {
  // MARK: Refused input and machine faults

  package static let invalidInput = Code(.input, 1)
  package static let notFound = Code(.input, 2)
  package static let outOfTurn = Code(.input, 3)
  package static let conflict = Code(.input, 4)
  package static let invalidSSID = Code(.input, 10)
  package static let invalidWiFiPassword = Code(.input, 11)
  package static let invalidSensorName = Code(.input, 12)
  package static let configuration = Code(.input, 20)

  package static let daemonUnreachable = Code(.host, 1)
  package static let socketDenied = Code(.host, 2)
  package static let internalFault = Code(.host, 3)
  package static let cancelled = Code(.host, 4)
  package static let shuttingDown = Code(.host, 5)
  package static let clockUnsynchronised = Code(.host, 8)
  package static let leftAlone = Code(.host, 6)
  package static let abandoned = Code(.host, 7)
  package static let alreadyRunning = Code(.host, 9)

  // MARK: Bluetooth

  package static let adapterAbsent = Code(.bluetooth, 101)
  package static let adapterOff = Code(.bluetooth, 102)
  package static let adapterBlocked = Code(.bluetooth, 103)
  package static let bluetoothDenied = Code(.bluetooth, 104)
  package static let bluetoothdAbsent = Code(.bluetooth, 105)
  package static let busUnreachable = Code(.bluetooth, 106)
  package static let scanRefused = Code(.bluetooth, 107)
  package static let notSeen = Code(.bluetooth, 110)
  package static let connectTimeout = Code(.bluetooth, 111)
  package static let connectFailed = Code(.bluetooth, 112)
  package static let linkLost = Code(.bluetooth, 113)
  package static let servicesUnresolved = Code(.bluetooth, 114)
  package static let characteristicMissing = Code(.bluetooth, 115)
  package static let readFailed = Code(.bluetooth, 116)
  package static let writeRefused = Code(.bluetooth, 117)
  package static let operationTimeout = Code(.bluetooth, 118)
  package static let chipMismatch = Code(.bluetooth, 119)
  package static let partialMQTTWrite = Code(.bluetooth, 120)
  package static let windowClosed = Code(.bluetooth, 121)
  package static let alreadyOnline = Code(.bluetooth, 122)
  package static let bluetoothdRestarted = Code(.bluetooth, 123)
  package static let adapterLost = Code(.bluetooth, 124)
  package static let linksBusy = Code(.bluetooth, 125)
  package static let subscriptionFailed = Code(.bluetooth, 126)

  // MARK: Wi-Fi. The sensor's own reasons keep their number; 9xx are ours.

  /// A disconnect reason as the sensor reports it, `r=<reason>`.
  package static func wifi(reason: Int) -> Code { Code(.wifi, reason) }

  package static let noAddress = Code(.wifi, 901)
  package static let wifiNotStarted = Code(.wifi, 902)
  package static let wifiSilence = Code(.wifi, 903)
  package static let wifiInputRefused = Code(.wifi, 904)

  // MARK: MQTT

  package static let sensorUnreachable = Code(.mqtt, 301)
  package static let sensorTLS = Code(.mqtt, 302)
  package static let sensorRefused = Code(.mqtt, 303)
  package static let sensorRefusedOrTLS = Code(.mqtt, 304)
  package static let noFirstReading = Code(.mqtt, 305)
  package static let brokerUnreachable = Code(.mqtt, 310)
  package static let brokerTLS = Code(.mqtt, 311)
  package static let brokerCertificateName = Code(.mqtt, 312)
  package static let brokerCertificateTime = Code(.mqtt, 313)
  package static let brokerRefused = Code(.mqtt, 314)
  package static let subscriptionRefused = Code(.mqtt, 315)
  package static let clientClash = Code(.mqtt, 316)
  package static let accountFailed = Code(.mqtt, 317)
  package static let accountStoreDamaged = Code(.mqtt, 318)
  package static let literalMoved = Code(.mqtt, 319)
  package static let portTaken = Code(.mqtt, 320)
  package static let brokerNotSetUp = Code(.mqtt, 321)
  package static let atMostOnce = Code(.mqtt, 322)
  package static let authorityUnreadable = Code(.mqtt, 323)
  package static let publishFailed = Code(.mqtt, 324)
  package static let sensorSilent = Code(.mqtt, 325)

  // MARK: Storage

  package static let storeUnopened = Code(.storage, 601)
  package static let storeFull = Code(.storage, 602)
  package static let storeReadOnly = Code(.storage, 603)
  package static let storeDamaged = Code(.storage, 604)
  package static let storeBusy = Code(.storage, 605)
  package static let storeNewer = Code(.storage, 606)
  package static let storeWrite = Code(.storage, 607)
  package static let sealKey = Code(.storage, 608)
  package static let progressDamaged = Code(.storage, 609)

  // MARK: Backend

  package static let backendUnreachable = Code(.backend, 701)
  package static let backendTimeout = Code(.backend, 702)
  package static let backendTLS = Code(.backend, 703)
  package static let backendRefused = Code(.backend, 704)
  package static let backendFailing = Code(.backend, 705)
  package static let backendBusy = Code(.backend, 706)
  package static let undelivered = Code(.backend, 707)
  package static let backendUnset = Code(.backend, 708)

  /// Every code of ours. The sensor's own Wi-Fi reasons are not listed: any number may come.
  package static let all: [Code] = [
    .invalidInput, .notFound, .outOfTurn, .conflict, .invalidSSID, .invalidWiFiPassword,
    .invalidSensorName, .configuration, .daemonUnreachable, .socketDenied, .internalFault,
    .cancelled, .shuttingDown, .clockUnsynchronised, .leftAlone, .abandoned, .alreadyRunning,
    .adapterAbsent, .adapterOff, .adapterBlocked, .bluetoothDenied,
    .bluetoothdAbsent, .busUnreachable, .scanRefused, .notSeen, .connectTimeout, .connectFailed,
    .linkLost, .servicesUnresolved, .characteristicMissing, .readFailed, .writeRefused,
    .operationTimeout, .chipMismatch, .partialMQTTWrite, .windowClosed, .alreadyOnline,
    .bluetoothdRestarted, .adapterLost, .linksBusy, .subscriptionFailed, .noAddress,
    .wifiNotStarted, .wifiSilence, .wifiInputRefused, .sensorUnreachable, .sensorTLS,
    .sensorRefused, .sensorRefusedOrTLS, .noFirstReading, .brokerUnreachable, .brokerTLS,
    .brokerCertificateName, .brokerCertificateTime, .brokerRefused, .subscriptionRefused,
    .clientClash, .accountFailed, .accountStoreDamaged, .literalMoved, .portTaken, .brokerNotSetUp,
    .atMostOnce, .authorityUnreadable, .publishFailed, .sensorSilent, .storeUnopened, .storeFull,
    .storeReadOnly, .storeDamaged, .storeBusy, .storeNewer, .storeWrite, .sealKey, .progressDamaged,
    .backendUnreachable, .backendTimeout, .backendTLS, .backendRefused, .backendFailing,
    .backendBusy, .undelivered, .backendUnset,
  ]
}
