/// A Wi-Fi network whose key is kept, to be offered at the next enrolment.
package struct NetworkRecord: Hashable, Sendable {
  package let ssid: String
  /// The key, sealed.
  package var sealedKey: [UInt8]
  package var lastUsedAt: Timestamp

  package init(ssid: String, sealedKey: [UInt8], lastUsedAt: Timestamp) {
    self.ssid = ssid
    self.sealedKey = sealedKey
    self.lastUsedAt = lastUsedAt
  }
}
