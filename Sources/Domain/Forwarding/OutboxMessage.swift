import FoundationEssentials

/// Something to be delivered to the backend, kept until it is acknowledged, refused or too old.
package struct OutboxMessage: Hashable, Sendable, Identifiable {
  /// The alert's id: the same at every try.
  package let id: UUID
  package let createdAt: Timestamp
  /// The JSON that is sent, byte for byte the same at every try.
  package let body: [UInt8]
  package var attempts: Int
  package var nextAttempt: Timestamp
  /// Why the backend will not have it; nil while it is still to be sent.
  package var parked: Fault?

  package init(
    id: UUID, createdAt: Timestamp, body: [UInt8], attempts: Int = 0, nextAttempt: Timestamp,
    parked: Fault? = nil
  ) {
    self.id = id
    self.createdAt = createdAt
    self.body = body
    self.attempts = attempts
    self.nextAttempt = nextAttempt
    self.parked = parked
  }
}
