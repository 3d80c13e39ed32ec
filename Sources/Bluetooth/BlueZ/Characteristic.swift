/// A characteristic one can ask for something: its path, nothing remembered.
struct Characteristic: Sendable {
  /// The longest attribute value (Bluetooth Core Specification, Vol 3, Part F, 3.2.9).
  static let longestValue = 512

  let path: String
  let service: BlueZService

  func read(within deadline: Duration) async throws(BlueZError) -> [UInt8] {
    try await service.read(path, within: deadline)
  }

  /// Writes with response: one ATT write, or a long one when the value does not fit.
  func write(_ bytes: [UInt8], within deadline: Duration) async throws(BlueZError) {
    try await call(
      "WriteValue", [.bytes(bytes), .properties(["type": .string("request")])], within: deadline)
  }

  func startNotify(within deadline: Duration) async throws(BlueZError) {
    try await call("StartNotify", within: deadline)
  }

  /// A refusal means that nothing was notified, or that the object is gone.
  func stopNotify(within deadline: Duration) async {
    _ = try? await call("StopNotify", within: deadline)
  }

  private func call(
    _ member: String, _ body: [DBus.Value] = [], within deadline: Duration
  ) async throws(BlueZError) {
    try await service.call(path, BlueZ.characteristic, member, body, within: deadline)
  }
}
