import Domain

/// A mirror of what `org.bluez` shows, reduced to what matters here: the adapters, the sensors in the
/// air, and the characteristics of those that are connected. Nothing is kept of other devices,
/// however many pass by.
package struct ObjectTree: Sendable {
  typealias Properties = [String: DBus.Value]

  /// Properties by object path and interface.
  private var objects: [String: [String: Properties]] = [:]
  /// When each device object appeared, counted from one: a path alone does not tell an object that
  /// was removed from the one that followed it.
  private var births: [String: Int] = [:]
  private var lastBirth = 0
  /// Devices that matter whatever their name: those a link is being opened to.
  var pinned: Set<BluetoothAddress> = []

  package init() {}

  /// What a signal changed.
  package enum Change: Equatable, Sendable {
    /// The device's advertisement was heard just now.
    case heard(device: String)
    /// A characteristic's value was read, or notified.
    case value(characteristic: String, [UInt8])
    case other
  }

  /// Takes a `GetManagedObjects` reply in place of all there was.
  package mutating func fill(_ managed: DBus.Value) {
    clear()
    // Parents first: a characteristic is kept only below a device that is.
    for (path, interfaces) in (managed.table ?? [:]).sorted(by: { $0.key < $1.key }) {
      add(path, interfaces)
    }
  }

  /// How many objects are kept.
  package var count: Int { objects.count }

  mutating func clear() {
    objects = [:]
    births = [:]
  }

  /// - Returns: 0 for an object that is not there.
  func birth(ofDevice path: String) -> Int { births[path] ?? 0 }

  private mutating func remove(_ path: String) {
    objects = objects.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
    births = births.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
  }

  private mutating func bear(device path: String) {
    lastBirth += 1
    births[path] = lastBirth
  }

  /// - Returns: nil when the signal is about nothing that is kept.
  package mutating func apply(_ signal: DBus.Signal) -> Change? {
    switch (signal.interface, signal.member, signal.body.count) {
    case (BlueZ.objectManager, "InterfacesAdded", 2...):
      guard let path = signal.body[0].text, add(path, signal.body[1]) else { return nil }
      return device(path)?.rssi == nil ? .other : .heard(device: path)
    case (BlueZ.objectManager, "InterfacesRemoved", 2...):
      guard let path = signal.body[0].text, let interfaces = signal.body[1].texts else {
        return nil
      }
      return remove(interfaces, of: path)
    case (BlueZ.properties, "PropertiesChanged", 3...):
      guard let interface = signal.body[0].text, let changed = signal.body[1].table else {
        return nil
      }
      return change(signal.path, interface, changed, withdrawn: signal.body[2].texts ?? [])
    default: return nil
    }
  }

  subscript(path: String, interface: String) -> Properties? { objects[path]?[interface] }

  /// The paths of the objects that have `interface`, in order.
  func paths(of interface: String, under parent: String = "") -> [String] {
    objects.filter { $0.value[interface] != nil && $0.key.hasPrefix(parent) }.keys.sorted()
  }

  @discardableResult
  private mutating func add(_ path: String, _ interfaces: DBus.Value) -> Bool {
    var isKept = false
    for (interface, properties) in interfaces.table ?? [:] {
      let properties = properties.table ?? [:]
      guard keeps(interface, of: path, properties) else { continue }
      objects[path, default: [:]][interface] = properties
      if interface == BlueZ.device { bear(device: path) }
      isKept = true
    }
    return isKept
  }

  private func keeps(_ interface: String, of path: String, _ properties: Properties) -> Bool {
    switch interface {
    case BlueZ.adapter: true
    case BlueZ.device: isWanted(path, name: properties["Name"]?.text)
    case BlueZ.characteristic: Self.device(containing: path).map { isKept(device: $0) } ?? false
    default: false
    }
  }

  private func isKept(device path: String) -> Bool { objects[path]?[BlueZ.device] != nil }

  private func isWanted(_ path: String, name: String?) -> Bool {
    if let name, AdvertisedName(name) != nil { return true }
    return Self.address(ofDevice: path).map(pinned.contains) ?? false
  }

  private mutating func remove(_ interfaces: [String], of path: String) -> Change? {
    guard objects[path] != nil else { return nil }
    for interface in interfaces { objects[path]?[interface] = nil }
    if objects[path]?.isEmpty == true { objects[path] = nil }
    // BlueZ may take an adapter away without a word about what was below it.
    if interfaces.contains(BlueZ.adapter) || interfaces.contains(BlueZ.device) { remove(path) }
    return .other
  }

  private mutating func change(
    _ path: String, _ interface: String, _ changed: Properties, withdrawn: [String]
  ) -> Change? {
    if objects[path]?[interface] == nil {
      // A name that comes later than the device, in its scan response.
      guard interface == BlueZ.device, isWanted(path, name: changed["Name"]?.text),
        let address = Self.address(ofDevice: path)
      else { return nil }
      objects[path, default: [:]][interface] = ["Address": .string(address.text)]
      bear(device: path)
    }
    objects[path]?[interface]?.merge(changed) { $1 }
    for name in withdrawn { objects[path]?[interface]?[name] = nil }
    if interface == BlueZ.device, changed["RSSI"] != nil || changed["Name"] != nil {
      return .heard(device: path)
    }
    if interface == BlueZ.characteristic, let bytes = changed["Value"]?.bytes {
      return .value(characteristic: path, bytes)
    }
    return .other
  }

  /// `/org/bluez/hci0/dev_AA_BB_CC_DD_EE_FF` bears the address.
  private static func address(ofDevice path: String) -> BluetoothAddress? {
    guard let last = path.split(separator: "/").last, last.hasPrefix("dev_") else { return nil }
    return BluetoothAddress(String(last.dropFirst(4).map { $0 == "_" ? ":" : $0 }))
  }

  /// The device above a service or a characteristic.
  private static func device(containing path: String) -> String? {
    let parts = path.split(separator: "/")
    guard let end = parts.firstIndex(where: { $0.hasPrefix("dev_") }) else { return nil }
    return "/" + parts[...end].joined(separator: "/")
  }
}
