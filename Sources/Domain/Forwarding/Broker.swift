/// One message from the broker.
package struct BrokerMessage: Hashable, Sendable {
  package let topic: String
  package let payload: [UInt8]
  /// 0 to 2, as delivered to us.
  package let qos: Int
  /// Set on a copy that the broker kept from before our subscription.
  package let isRetained: Bool
  package let arrivedAt: Timestamp

  package init(
    topic: String, payload: [UInt8], qos: Int = 1, isRetained: Bool = false, arrivedAt: Timestamp
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
    self.arrivedAt = arrivedAt
  }
}

/// What the broker connection hands over, in order.
package enum Delivery: Hashable, Sendable {
  case connected(sessionPresent: Bool, at: Timestamp)
  case message(BrokerMessage)
  /// A payload over the size limit (16 KiB); its bytes were discarded unread.
  case oversized(topic: String, bytes: Int)
  case disconnected(Fault)
}

/// A connection to the broker whose acknowledgements wait for our commit.
///
/// The one reader takes deliveries, and when it wants to commit it pauses (which hands over what
/// had already been read), commits, and acknowledges. Nothing delivered is acknowledged before.
package protocol Broker: Sendable {
  /// Waits until something has arrived and returns all of it, in order; empty only when the calling
  /// task is cancelled.
  func take() async -> [Delivery]

  /// Stops reading the socket and returns what had been read and not yet taken.
  func pause() async -> [Delivery]

  /// Lets the acknowledgements of everything handed over go out, and reads on.
  func acknowledge() async

  /// Publishes and waits for the broker's acknowledgement (QoS 1). Throws at once while
  /// disconnected; nothing is queued behind the caller's back.
  func publish(_ payload: [UInt8], to topic: String, retained: Bool) async throws(Fault)

  func condition() async -> BrokerCondition
}

/// Where the broker connection stands.
package enum BrokerCondition: Hashable, Sendable {
  case connecting
  case connected(since: Timestamp)
  case down(Fault, since: Timestamp)
}
