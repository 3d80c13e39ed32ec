import Bluetooth

/// What BlueZ does when all goes well.
extension ScriptedBlueZ {
  func doTheUsual(_ call: DBus.IncomingCall) async throws {
    switch call.member {
    case "GetManagedObjects": try await answer(call, [managedObjects()])
    case "StartDiscovery":
      try await set(call.path, Self.adapterInterface, ["Discovering": .boolean(true)])
      try await answer(call)
    case "StopDiscovery":
      try await set(call.path, Self.adapterInterface, ["Discovering": .boolean(false)])
      try await answer(call)
    case "RemoveDevice":
      let device = call.body[0].text ?? ""
      let properties = objectProperties(device)
      try await removeAll(under: device)
      try await answer(call)
      // It is heard again at once.
      try await add(device, Self.deviceInterface, properties)
    case "Connect":
      try await link(call.path)
      try await answer(call)
    case "Disconnect":
      try await unlink(call.path)
      try await answer(call)
    case "ReadValue":
      let value = property(call.path, Self.characteristicInterface, "Value")
      let bytes = DBus.Value.bytes(value?.bytes ?? [])
      try await set(call.path, Self.characteristicInterface, ["Value": bytes])
      try await answer(call, [bytes])
    default: try await answer(call)
    }
  }

  private func objectProperties(_ device: String) -> Properties {
    var properties: Properties = [:]
    for name in ["Address", "Name", "RSSI"] {
      properties[name] = property(device, Self.deviceInterface, name)
    }
    return properties
  }

  /// A link opens: connected, characteristics, services resolved.
  func link(_ device: String, characteristics: [String] = Air.characteristics) async throws {
    try await set(device, Self.deviceInterface, ["Connected": .boolean(true)])
    for (index, uuid) in characteristics.enumerated() {
      try await add(
        "\(device)/service0001/char000\(index)", Self.characteristicInterface,
        ["UUID": .string(uuid), "Value": .bytes([])])
    }
    try await set(device, Self.deviceInterface, ["ServicesResolved": .boolean(true)])
  }

  func unlink(_ device: String) async throws {
    guard property(device, Self.deviceInterface, "Connected")?.boolean == true else { return }
    try await set(
      device, Self.deviceInterface,
      ["Connected": .boolean(false), "ServicesResolved": .boolean(false)])
  }
}

/// The names of the little world these tests live in.
enum Air {
  static let adapter = "/org/bluez/hci0"
  static let adapterAddress = "00:11:22:33:44:55"
  static let device = "/org/bluez/hci0/dev_AA_BB_CC_00_00_01"
  static let address = "AA:BB:CC:00:00:01"
  static let name = "SOUND-SENSOR-0123456789AB"
  static let status = "5e3b1f9e-2d8a-4a1f-8c3d-9e7f1a3b5c7d"
  static let ssid = "beb5483e-36e1-4688-b7f5-ea07361b26a8"
  static let characteristics = [status, ssid]

  static func path(of uuid: String) -> String {
    "\(device)/service0001/char000\(characteristics.firstIndex(of: uuid) ?? 9)"
  }

  static func properties(
    _ address: String = Air.address, name: String? = Air.name, rssi: Int16? = -60
  ) -> ScriptedBlueZ.Properties {
    var properties: ScriptedBlueZ.Properties = ["Address": .string(address)]
    if let name { properties["Name"] = .string(name) }
    if let rssi { properties["RSSI"] = .int16(rssi) }
    return properties
  }
}
