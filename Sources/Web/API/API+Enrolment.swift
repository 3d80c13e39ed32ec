import Domain
import FoundationEssentials
import Services
import Texts

extension API {
  /// One enrolment; it holds no credential.
  package struct Enrolment: Hashable, Sendable, Codable {
    package let id: String
    package let `operator`: String
    package let createdAt: Moment
    package let updatedAt: Moment
    package let step: Int
    package let completed: Bool
    package let state: String
    /// What the person is to do: `Enrolment.Expectation`'s word.
    package let expects: String
    package let validatable: Bool
    package let ended: Bool
    package let sensor: SensorID?
    package let address: BluetoothAddress?
    package let ip: String?
    package let online: Bool
    /// The sensor may hold the broker's values by now: before another try it needs a minute and a
    /// press of its button.
    package let mayHoldAccount: Bool
    package let complaint: Fault?
    package let failure: Fault?
    package let waysBack: [WayBack]
    package let secondsLeft: Int?
    package let windowSecondsLeft: Int?
    /// Only where one enrolment is shown by itself.
    package var timeline: [Transition]?

    package init(_ view: EnrolmentView, _ language: Language) {
      id = view.id.lowercaseText
      `operator` = view.operator
      createdAt = Moment(view.createdAt)
      updatedAt = Moment(view.updatedAt)
      step = view.step.rawValue
      completed = view.isCompleted
      state = view.state
      expects = view.expects.rawValue
      validatable = view.isValidatable
      ended = view.hasEnded
      sensor = view.sensor
      address = view.address
      ip = view.ip?.text
      online = view.isOnline
      mayHoldAccount = view.mayHoldAccount
      complaint = view.complaint.map { Fault($0, language) }
      failure = view.failure.map { Fault($0, language) }
      waysBack = view.waysBack.map { WayBack($0, language) }
      secondsLeft = view.secondsLeft
      windowSecondsLeft = view.windowSecondsLeft
    }
  }

  /// One line of the audit log.
  package struct Transition: Hashable, Sendable, Codable {
    package let at: Moment
    package let `operator`: String
    package let step: Int
    /// The state left; nil on the first line.
    package let from: String?
    package let to: String
    package let why: String

    package init(
      at: Timestamp, operator: String, step: Int, from: String?, to: String, why: String
    ) {
      self.at = Moment(at)
      self.operator = `operator`
      self.step = step
      self.from = from
      self.to = to
      self.why = why
    }
  }

  /// How a sensor that is online comes back within radio's reach.
  package struct WayBack: Hashable, Sendable, Codable {
    package let way: String
    package let text: String
    package let url: String?

    package init(_ way: Services.WayBack, _ language: Language) {
      switch way {
      case .resetOverMQTT:
        self.way = "reset"
        url = nil
      case .localPage(let page):
        self.way = "local-page"
        url = page
      case .powerUpHold:
        self.way = "power-up-hold"
        url = nil
      }
      text = way.phrase[language]
    }
  }

  /// What validates a step; the fields a step does not take are left out.
  package struct StepInput: Sendable, Codable {
    package var sensor: String?
    package var address: String?
    package var ssid: String?
    /// Goes one way only: from the person to the daemon.
    package var key: String?
    package var remember: Bool?
    package var name: String?

    package init(
      sensor: String? = nil, address: String? = nil, ssid: String? = nil, key: String? = nil,
      remember: Bool? = nil, name: String? = nil
    ) {
      self.sensor = sensor
      self.address = address
      self.ssid = ssid
      self.key = key
      self.remember = remember
      self.name = name
    }
  }

  /// PD-176's answer.
  package struct Onboarding: Hashable, Sendable, Codable {
    package let currentStep: Int
    package let completed: Bool
    package let enrolment: String?

    package init(_ status: OnboardingStatus) {
      currentStep = status.currentStep.rawValue
      completed = status.completed
      enrolment = status.enrolment?.lowercaseText
    }
  }

  /// The sensors heard over the air.
  package struct Nearby: Hashable, Sendable, Codable {
    package let sensors: [NearbySensor]
    package let secondsLeft: Int?
    package let fault: Fault?

    package init(_ list: NearbyList, _ language: Language) {
      sensors = list.sensors.map { NearbySensor($0, at: list.at) }
      secondsLeft = list.endsAt.map { Int(max(0, ($0 - list.at).milliseconds + 999) / 1000) }
      fault = list.fault.map { Fault($0, language) }
    }
  }

  package struct NearbySensor: Hashable, Sendable, Codable {
    package let chip: SensorID
    package let address: BluetoothAddress
    package let kind: String
    package let rssi: Int?
    /// Seconds since it was last heard.
    package let age: Int
    package let knownAs: String?
    package let enrolment: String?

    package init(_ sensor: Services.NearbySensor, at now: Timestamp) {
      chip = sensor.peripheral.sensor
      address = sensor.peripheral.address
      kind = sensor.peripheral.kind.description
      rssi = sensor.rssi
      age = Int(max(0, (now - sensor.lastSeen).milliseconds) / 1000)
      knownAs = sensor.knownAs?.text
      enrolment = sensor.enrolment?.lowercaseText
    }
  }

  /// A saved network, without its key.
  package struct Network: Hashable, Sendable, Codable {
    package let ssid: String
    package let lastUsedAt: Moment

    package init(_ network: OfferedNetwork) {
      ssid = network.ssid
      lastUsedAt = Moment(network.lastUsedAt)
    }
  }
}

extension Services.WayBack {
  fileprivate var phrase: Phrase {
    switch self {
    case .resetOverMQTT:
      Phrase(
        en: "Over MQTT: it forgets its broker and opens its Bluetooth window "
          + "(soundgate sensors reset CHIP).",
        fr: "Par MQTT : il oublie son broker et ouvre sa fenêtre Bluetooth "
          + "(soundgate sensors reset PUCE).")
    case .localPage(let url):
      Phrase(
        en: "On its local page, from the same network: \(url)",
        fr: "Sur sa page locale, depuis le même réseau : \(url)")
    case .powerUpHold:
      Phrase(
        en: "At the sensor: cut its power, restore it, press the button right away (not before) "
          + "and "
          + "hold it for 2 seconds.",
        fr: "Sur le capteur : coupez puis remettez l’alimentation, appuyez aussitôt (pas avant) "
          + "sur "
          + "le bouton et tenez-le 2 secondes.")
    }
  }
}
