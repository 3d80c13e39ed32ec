/// A device one can ask for something: its path, nothing remembered.
struct Device: Sendable {
  let path: String
  let service: BlueZService

  func connect(within deadline: Duration) async throws(BlueZError) {
    try await service.call(path, BlueZ.device, "Connect", within: deadline)
  }

  /// Ends the link, or the attempt to open one. A refusal means that there was neither.
  func disconnect() async {
    _ = try? await service.call(path, BlueZ.device, "Disconnect", within: .seconds(5))
  }

  /// Disconnects even when the calling task was cancelled.
  func disconnectWhateverHappens() async {
    await Task { await disconnect() }.value
  }
}
