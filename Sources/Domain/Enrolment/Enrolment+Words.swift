extension Enrolment.Command {
  /// The command's name in the audit log.
  package var word: String {
    switch self {
    case .choose: "choose"
    case .sendWiFi: "send-wifi"
    case .acceptWiFi: "accept-wifi"
    case .acceptReading: "accept-reading"
    case .register: "register"
    case .resume: "resume"
    case .cancel: "cancel"
    }
  }
}

extension Enrolment.Event {
  /// The event's name in the audit log, with its code when it has one.
  package var word: String {
    switch self {
    case .scanFailed(let fault): "scan-failed \(fault.code)"
    case .linkOpened: "link-opened"
    case .linkFailed(let fault): "link-failed \(fault.code)"
    case .linkLost(let fault): "link-lost \(fault.code)"
    case .wifiWritten: "wifi-written"
    case .wifiWriteFailed(let fault): "wifi-write-failed \(fault.code)"
    case .statusHeard(.left(let reason?)): "status-heard r=\(reason)"
    case .statusHeard: "status-heard"
    case .accountReserved: "account-reserved"
    case .accountOpened: "account-opened"
    case .accountFailed(let fault): "account-failed \(fault.code)"
    case .mqttDelivered: "mqtt-delivered"
    case .mqttWriteFailed(let acknowledged, let fault):
      "mqtt-write-failed \(acknowledged)/4 \(fault.code)"
    case .readingStored: "reading-stored"
    case .deadlinePassed(let deadline, let blame):
      "deadline-passed \(deadline.rawValue)" + (blame.map { " \($0.code)" } ?? "")
    }
  }

  /// Who caused it: the sensor, or the gateway itself.
  package var actor: String {
    switch self {
    case .statusHeard, .readingStored, .linkLost: "sensor"
    default: "gateway"
    }
  }
}
