extension Enrolment {
  /// Where an enrolment stands. No credential is ever part of it.
  ///
  /// A `complaint` is what went wrong last and can be put right from here.
  package enum State: Hashable, Sendable {
    /// Step 1: sensors are looked for (or were, when there is a complaint).
    case scanning(complaint: Fault?)
    /// Any step before the fifth, without a link: left by a restart, or alone for too long.
    case parked(complaint: Fault?)
    /// Opening the link; `isResuming` when failing leads back to `parked`.
    case connecting(isResuming: Bool)
    /// Step 2, and again in step 3 after a complaint: the name and the key are asked for. The
    /// verdict listens on for a late address.
    case awaitingWiFi(complaint: Fault?, verdict: WiFiVerdict?)
    /// Step 3: name and key are being written; what the sensor says after it has the key, and before
    /// we know that it has, is kept.
    case writingWiFi(heard: [WiFiStatus]?)
    case joiningWiFi(WiFiVerdict)
    case joined(IPv4Address)
    /// Step 4: the broker account is made and tried.
    case openingAccount
    /// No account could be had; the link is still open.
    case awaitingAccount(complaint: Fault)
    case writingMQTT
    case awaitingReading(complaint: Fault?)
    case heard
    /// Step 5.
    case awaitingName
    case completed
    case failed(Fault)
  }

  /// What a person can do, or must wait for, next.
  package enum Expectation: String, Hashable, Sendable, Codable, CaseIterable {
    case chooseSensor = "choose-sensor"
    case giveWiFi = "give-wifi"
    case acceptWiFi = "accept-wifi"
    case acceptReading = "accept-reading"
    case name
    /// Nothing but patience.
    case wait
    case resume
    case nothing
  }
}

extension Enrolment.State {
  /// The state's name in the audit log and for programs.
  package var word: String {
    switch self {
    case .scanning: "scanning"
    case .parked: "parked"
    case .connecting: "connecting"
    case .awaitingWiFi: "awaiting-wifi"
    case .writingWiFi: "writing-wifi"
    case .joiningWiFi: "joining-wifi"
    case .joined: "joined"
    case .openingAccount: "opening-account"
    case .awaitingAccount: "awaiting-account"
    case .writingMQTT: "writing-mqtt"
    case .awaitingReading: "awaiting-reading"
    case .heard: "heard"
    case .awaitingName: "awaiting-name"
    case .completed: "completed"
    case .failed: "failed"
    }
  }

  package var complaint: Fault? {
    switch self {
    case .scanning(let fault), .parked(let fault), .awaitingWiFi(let fault, _),
      .awaitingReading(let fault):
      fault
    case .awaitingAccount(let fault): fault
    default: nil
    }
  }

  package var expectation: Enrolment.Expectation {
    switch self {
    case .scanning: .chooseSensor
    case .awaitingWiFi: .giveWiFi
    case .joined: .acceptWiFi
    case .heard: .acceptReading
    case .awaitingName: .name
    case .parked, .awaitingAccount, .awaitingReading(complaint: .some): .resume
    case .completed, .failed: .nothing
    case .connecting, .writingWiFi, .joiningWiFi, .openingAccount, .writingMQTT,
      .awaitingReading(complaint: .none):
      .wait
    }
  }

  /// Whether a link to the sensor is open or being opened.
  package var usesLink: Bool {
    switch self {
    case .connecting, .awaitingWiFi, .writingWiFi, .joiningWiFi, .joined, .openingAccount,
      .awaitingAccount, .writingMQTT:
      true
    case .scanning, .parked, .awaitingReading, .heard, .awaitingName, .completed, .failed: false
    }
  }
}
