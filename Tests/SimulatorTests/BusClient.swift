import Bluetooth
import Domain
import Simulator

/// Somebody who talks to the stand-in as a client of BlueZ would, keeping every signal.
actor BusClient {
  nonisolated let connection: DBus.Connection
  private var signals: [DBus.ServiceEvent] = []
  private var seen = 0
  private var waiting: (CheckedContinuation<Void, Never>)?
  private var reading: Task<Void, Never>?

  init(_ address: String) async throws {
    connection = try await DBus.Connection.open(address)
    let events = try await connection.follow("org.bluez")
    read(events)
  }

  private func read(_ events: AsyncStream<DBus.ServiceEvent>) {
    reading = Task { [weak self] in
      for await event in events { await self?.take(event) }
      await self?.wake()
    }
  }

  private func take(_ event: DBus.ServiceEvent) {
    signals.append(event)
    wake()
  }

  private func wake() {
    waiting?.resume()
    waiting = nil
  }

  func close() async {
    reading?.cancel()
    await connection.close()
  }

  /// The next event that is looked for, passing over the others for good.
  func next<T: Sendable>(_ choose: @Sendable (DBus.ServiceEvent) -> T?) async -> T {
    while true {
      while seen < signals.count {
        seen += 1
        if let found = choose(signals[seen - 1]) { return found }
      }
      await withCheckedContinuation { waiting = $0 }
    }
  }

  /// The next object that appears with this interface: its path and properties.
  func added(_ interface: String) async -> (path: String, properties: [String: DBus.Value]) {
    await next { event in
      guard case .signal(let signal) = event, signal.member == "InterfacesAdded",
        let path = signal.body[0].text, let properties = signal.body[1].table?[interface]?.table
      else { return nil }
      return (path, properties)
    }
  }

  func removed() async -> String {
    await next { event in
      guard case .signal(let signal) = event, signal.member == "InterfacesRemoved" else {
        return nil
      }
      return signal.body[0].text
    }
  }

  /// The next value that a property of this name takes on, on whatever object.
  func changed(_ property: String) async -> (path: String, value: DBus.Value) {
    await next { event in
      guard case .signal(let signal) = event, signal.member == "PropertiesChanged",
        let value = signal.body[1].table?[property]
      else { return nil }
      return (signal.path, value)
    }
  }

  func invalidated(_ property: String) async -> String {
    await next { event in
      guard case .signal(let signal) = event, signal.member == "PropertiesChanged",
        signal.body[2].texts?.contains(property) == true
      else { return nil }
      return signal.path
    }
  }

  func owner() async -> String? {
    await next { event -> String?? in
      guard case .owner(let owner) = event else { return nil }
      return .some(owner)
    }
  }

  // MARK: Calls

  static let adapter = "/org/bluez/hci0"

  @discardableResult
  nonisolated func call(
    _ path: String, _ interface: String, _ member: String, _ body: [DBus.Value] = []
  ) async throws(BusError) -> [DBus.Value] {
    try await connection.call(
      DBus.Call("org.bluez", path, "org.bluez.\(interface)", member, body))
  }

  @discardableResult
  nonisolated func adapter(
    _ member: String, _ body: [DBus.Value] = []
  ) async throws(BusError) -> [DBus.Value] {
    try await call(Self.adapter, "Adapter1", member, body)
  }

  nonisolated func startDiscovery(pattern: String? = "SOUND-SENSOR") async throws(BusError) {
    var filter: [String: DBus.Value] = ["Transport": .string("le"), "RSSI": .int16(-127)]
    filter["Pattern"] = pattern.map { .string($0) }
    try await adapter("SetDiscoveryFilter", [.properties(filter)])
    try await adapter("StartDiscovery")
  }

  nonisolated func setPowered(_ isOn: Bool) async throws(BusError) {
    try await connection.call(
      DBus.Call(
        "org.bluez", Self.adapter, "org.freedesktop.DBus.Properties", "Set",
        [.string("org.bluez.Adapter1"), .string("Powered"), .variant(.boolean(isOn))]))
  }

  nonisolated func read(_ path: String) async throws(BusError) -> String {
    let reply = try await call(path, "GattCharacteristic1", "ReadValue", [.properties([:])])
    return String(decoding: reply.first?.bytes ?? [], as: UTF8.self)
  }

  nonisolated func write(
    _ text: String, to path: String, type: String = "request"
  ) async throws(BusError) {
    try await call(
      path, "GattCharacteristic1", "WriteValue",
      [.bytes(Array(text.utf8)), .properties(["type": .string(type)])])
  }

  nonisolated func managed() async throws(BusError) -> [String: DBus.Value] {
    try await connection.call(
      DBus.Call("org.bluez", "/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    ).first?.table ?? [:]
  }

  /// The characteristics of a device, by UUID.
  nonisolated func characteristics() async throws(BusError) -> [SensorCharacteristic: String] {
    var paths: [SensorCharacteristic: String] = [:]
    for (path, interfaces) in try await managed() {
      let properties = interfaces.table?["org.bluez.GattCharacteristic1"]?.table
      guard let uuid = properties?["UUID"]?.text,
        let characteristic = SensorCharacteristic(rawValue: uuid)
      else { continue }
      paths[characteristic] = path
    }
    return paths
  }
}
