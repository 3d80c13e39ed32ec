import CMosquitto
import Domain
import Glibc

extension Session {
  static func words(for status: Int32) -> String { String(cString: mosquitto_strerror(status)) }

  /// What a failed call means.
  ///
  /// - Parameter errno: as it was right after the call.
  func fault(for status: Int32, errno error: Int32) -> Fault {
    if let complaint { return complaint.fault }
    return switch mosq_err_t(Int32(status)) {
    case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP:
      Fault(.brokerUnreachable, "the name was not found")
    case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE:
      Fault(.brokerTLS, Self.words(for: status))
    case MOSQ_ERR_ERRNO where error != 0:
      Fault(.brokerUnreachable, String(cString: strerror(error)))
    case MOSQ_ERR_CONN_LOST:
      Fault(.brokerUnreachable, "the broker closed the connection")
    case MOSQ_ERR_KEEPALIVE:
      Fault(.brokerUnreachable, "the broker did not answer a ping")
    default:
      Fault(.brokerUnreachable, Self.words(for: status))
    }
  }

  /// The broker's answer to CONNECT (MQTT 3.1.1, table 3.1), nil when it is a welcome.
  static func fault(forAnswer code: Int32) -> Fault? {
    switch code {
    case 0: nil
    case 2: Fault(.clientClash, "the broker refused the client id")
    case 3: Fault(.brokerUnreachable, "the broker says it is unavailable")
    case 4, 5: Fault(.brokerRefused, "the broker refused the account (answer \(code))")
    default: Fault(.brokerRefused, "the broker refused the connection (answer \(code))")
    }
  }
}
