import CMosquitto
import Domain

/// What libmosquitto reports while one of its functions runs, in order, for whoever called it.
///
/// It belongs to one `Session` and is touched only where that session is.
final class Inbox {
  enum Event {
    /// The broker's answer to our CONNECT; `code` 0 is a welcome.
    case answered(code: Int32, sessionPresent: Bool)
    case message(BrokerMessage)
    case oversized(topic: String, bytes: Int, qos: Int)
    /// A publication was acknowledged (QoS 1) or written (QoS 0).
    case published(id: Int32)
    case subscribed(id: Int32, isGranted: Bool)
  }

  private var events: [Event] = []
  /// The last thing TLS complained of.
  private(set) var complaint: TLSComplaint?
  private let payloadLimit: Int
  private let now: WallClock

  init(payloadLimit: Int, now: @escaping WallClock) {
    self.payloadLimit = payloadLimit
    self.now = now
  }

  func takeEvents() -> [Event] {
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// Points a handle's callbacks here. The inbox must outlive the handle.
  func receive(from handle: OpaquePointer) {
    mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_connect_with_flags_callback_set(handle) { _, inbox, code, flags in
      Inbox.at(inbox).events.append(.answered(code: code, sessionPresent: flags & 1 == 1))
    }
    mosquitto_publish_callback_set(handle) { _, inbox, id in
      Inbox.at(inbox).events.append(.published(id: id))
    }
    mosquitto_subscribe_callback_set(handle) { _, inbox, id, count, granted in
      let granted = UnsafeBufferPointer(start: granted, count: Int(count))
      Inbox.at(inbox).events.append(
        .subscribed(id: id, isGranted: granted.allSatisfy { $0 < 0x80 }))
    }
    mosquitto_message_callback_set(handle) { _, inbox, message in
      if let message { Inbox.at(inbox).take(message.pointee) }
    }
    mosquitto_log_callback_set(handle) { handle, inbox, level, text in
      guard level == MOSQ_LOG_ERR, let handle, let text else { return }
      Inbox.at(inbox).take(complaint: String(cString: text), of: handle)
    }
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> Inbox {
    guard let pointer else { preconditionFailure("a callback without its inbox") }
    return Unmanaged<Inbox>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func take(_ message: mosquitto_message) {
    let topic = message.topic.map { String(cString: $0) } ?? ""
    let qos = Int(message.qos)
    let size = Int(message.payloadlen)
    guard size <= payloadLimit else {
      events.append(.oversized(topic: topic, bytes: size, qos: qos))
      return
    }
    events.append(
      .message(
        BrokerMessage(
          topic: topic,
          payload: Array(UnsafeRawBufferPointer(start: message.payload, count: size)),
          qos: qos, isRetained: message.retain, arrivedAt: now())))
  }

  /// The verdict on the certificate must be read now: the handle forgets it when it closes.
  private func take(complaint text: String, of handle: OpaquePointer) {
    let verdict = mosquitto_ssl_get(handle).map { SSL_get_verify_result($0) } ?? 0
    if let next = TLSComplaint(text: text, verdict: verdict), next.outranks(complaint) {
      complaint = next
    }
  }
}
