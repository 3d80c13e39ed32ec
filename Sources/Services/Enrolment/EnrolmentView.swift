import Domain
import FoundationEssentials

/// What people and programs are shown of an enrolment. It holds no credential.
package struct EnrolmentView: Hashable, Sendable, Codable, Identifiable {
  package let id: UUID
  /// Who began it.
  package let `operator`: String
  package let createdAt: Timestamp
  package let updatedAt: Timestamp
  /// The first step that is not validated, 1–5; 5 once all are.
  package let step: EnrolmentStep
  package let isCompleted: Bool
  /// See `Enrolment.State.word`.
  package let state: String
  package let expects: Enrolment.Expectation
  package let sensor: SensorID?
  package let address: BluetoothAddress?
  /// What went wrong last and can be put right; nil when nothing is to complain of.
  package let complaint: Fault?
  /// Why it ended before completion.
  package let failure: Fault?
  /// The sensor's address on its network, once it has joined.
  package let ip: IPv4Address?
  /// The sensor has a live MQTT session, by its own word or because it was heard just now.
  package let isOnline: Bool
  /// The sensor was written broker settings: for another try it needs a minute before its button.
  package let mayHoldAccount: Bool
  /// Which attempt at opening the link this is, from 1.
  package let attempt: Int?
  /// How a sensor that is online comes back within radio's reach; empty unless that is called for.
  package let waysBack: [WayBack]
  /// What time may run out of, and when.
  package let deadline: Enrolment.Deadline?
  package let deadlineAt: Timestamp?
  /// When the sensor's Bluetooth window closes at the latest; nil when that does not matter.
  package let windowClosesAt: Timestamp?
  /// When the view was taken; the seconds left count from here.
  package let at: Timestamp

  /// Whole seconds until the deadline, never below 0.
  package var secondsLeft: Int? { seconds(until: deadlineAt) }

  package var windowSecondsLeft: Int? { seconds(until: windowClosesAt) }

  /// Whether the current step can be validated now.
  package var isValidatable: Bool {
    switch expects {
    case .chooseSensor, .giveWiFi, .acceptWiFi, .acceptReading, .name: true
    case .wait, .resume, .nothing: false
    }
  }

  package var hasEnded: Bool { isCompleted || failure != nil }

  private func seconds(until end: Timestamp?) -> Int? {
    end.map { Int(max(0, ($0 - at).milliseconds + 999) / 1000) }
  }
}

/// How a sensor that is online comes back within radio's reach.
package enum WayBack: Hashable, Sendable, Codable {
  /// `EnrolmentDesk.resetOverMQTT`: it forgets its broker and opens its Bluetooth window.
  case resetOverMQTT
  /// The sensor's own page, where a broker can be set without Bluetooth; it has no login.
  case localPage(url: String)
  /// Press the button just after power comes on, and hold it for two seconds.
  case powerUpHold
}

/// A sensor heard over the air.
package struct NearbySensor: Hashable, Sendable, Codable {
  package let peripheral: Peripheral
  package let lastSeen: Timestamp
  /// dBm; nil when the controller gave none.
  package let rssi: Int?
  /// The name it has here, when it is already enrolled.
  package let knownAs: SensorName?
  /// The enrolment under way for it.
  package let enrolment: UUID?

  package init(
    peripheral: Peripheral, lastSeen: Timestamp, rssi: Int?, knownAs: SensorName? = nil,
    enrolment: UUID? = nil
  ) {
    self.peripheral = peripheral
    self.lastSeen = lastSeen
    self.rssi = rssi
    self.knownAs = knownAs
    self.enrolment = enrolment
  }

  /// Not heard for 15 s.
  package func isFading(at now: Timestamp) -> Bool { now - lastSeen >= .seconds(15) }
}

/// The list of sensors nearby, as it stands.
package struct NearbyList: Hashable, Sendable, Codable {
  /// The strongest first; one row per Bluetooth address, even of one chip id.
  package let sensors: [NearbySensor]
  /// When this scan ends; nil when none runs.
  package let endsAt: Timestamp?
  /// Why the radio cannot look for sensors.
  package let fault: Fault?
  package let at: Timestamp

  package init(sensors: [NearbySensor], endsAt: Timestamp?, fault: Fault?, at: Timestamp) {
    self.sensors = sensors
    self.endsAt = endsAt
    self.fault = fault
    self.at = at
  }
}

/// What a person gives to validate a step.
package enum StepInput: Hashable, Sendable {
  /// Step 1. The address tells two sensors of one name apart.
  case sensor(SensorID?, BluetoothAddress?)
  /// Steps 2 and 3. Without a key, that of the saved network is taken.
  case wifi(ssid: String, key: Secret?, remember: Bool)
  /// Steps 3 and 4: yes, go on.
  case acceptance
  /// Step 5.
  case name(String)
}

/// PD-176's own view: one operator's way through their first enrolment.
package struct OnboardingStatus: Hashable, Sendable, Codable {
  package let currentStep: EnrolmentStep
  package let completed: Bool
  /// The unfinished enrolment it speaks of.
  package let enrolment: UUID?

  package init(currentStep: EnrolmentStep, completed: Bool, enrolment: UUID?) {
    self.currentStep = currentStep
    self.completed = completed
    self.enrolment = enrolment
  }
}

/// A network whose key is kept, sealed.
package struct OfferedNetwork: Hashable, Sendable, Codable {
  package let ssid: String
  package let lastUsedAt: Timestamp

  package init(ssid: String, lastUsedAt: Timestamp) {
    self.ssid = ssid
    self.lastUsedAt = lastUsedAt
  }
}
