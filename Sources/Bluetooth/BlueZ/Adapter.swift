import Domain

/// An adapter one can ask for something: its path, nothing remembered.
struct Adapter: Sendable {
  let path: String
  let service: BlueZService

  /// Our own filter: low energy only, every advertisement anew (`DuplicateData`, and an `RSSI` floor
  /// that lets all pass), which keeps ages fresh.
  ///
  /// - Parameter kind: narrows the scan to names of that kind. BlueZ joins the filters of all its
  ///   clients, so names are checked again all the same.
  func setDiscoveryFilter(_ kind: SensorKind?) async throws(BlueZError) {
    var filter: [String: DBus.Value] = [
      "Transport": .string("le"), "RSSI": .int16(-127), "DuplicateData": .boolean(true),
    ]
    if let kind { filter["Pattern"] = .string("\(kind)-") }
    try await call("SetDiscoveryFilter", [.properties(filter)])
  }

  func startDiscovery() async throws(BlueZError) {
    try await call("StartDiscovery", within: .seconds(15))
  }

  /// Ends our discovery session. BlueZ's refusals (`InProgress`, `NotReady`, `Failed`) all mean that
  /// there is none.
  func stopDiscovery() async {
    _ = try? await call("StopDiscovery")
  }

  /// Has BlueZ forget a device, its cached attributes included.
  func remove(_ device: Device) async throws(BlueZError) {
    try await call("RemoveDevice", [.objectPath(device.path)], within: .seconds(10))
  }

  private func call(
    _ member: String, _ body: [DBus.Value] = [], within deadline: Duration = .seconds(5)
  ) async throws(BlueZError) {
    try await service.call(path, BlueZ.adapter, member, body, within: deadline)
  }
}
