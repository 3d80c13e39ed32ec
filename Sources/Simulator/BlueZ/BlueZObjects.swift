import Bluetooth

/// The objects that a bluetoothd shows on the bus, and the signal that each change makes.
struct BlueZObjects: Sendable {
  typealias Properties = [String: DBus.Value]

  private var objects: [String: [String: Properties]] = [:]

  static let manager = "org.freedesktop.DBus.ObjectManager"
  static let propertiesInterface = "org.freedesktop.DBus.Properties"

  /// The answer to `GetManagedObjects`.
  var managed: DBus.Value {
    var entries: [DBus.Value: DBus.Value] = [:]
    for (path, interfaces) in objects {
      entries[.objectPath(path)] = Self.dictionary(interfaces)
    }
    return .dictionary(entries, key: "o", value: "a{sa{sv}}")
  }

  var paths: [String] { objects.keys.sorted() }

  func contains(_ path: String) -> Bool { objects[path] != nil }

  func properties(_ path: String, _ interface: String) -> Properties? {
    objects[path]?[interface]
  }

  mutating func add(_ path: String, _ interfaces: [String: Properties]) -> DBus.Signal {
    objects[path] = interfaces
    return DBus.Signal(
      path: "/", interface: Self.manager, member: "InterfacesAdded",
      body: [.objectPath(path), Self.dictionary(interfaces)])
  }

  /// Nil when there is no such object.
  mutating func remove(_ path: String) -> DBus.Signal? {
    guard let interfaces = objects.removeValue(forKey: path) else { return nil }
    return DBus.Signal(
      path: "/", interface: Self.manager, member: "InterfacesRemoved",
      body: [.objectPath(path), .strings(interfaces.keys.sorted())])
  }

  /// Drops everything without a signal, as a service does that ends.
  mutating func removeAll() { objects = [:] }

  /// Sets properties; nil when there is no such object.
  mutating func set(
    _ path: String, _ interface: String, _ changes: Properties
  ) -> DBus.Signal? {
    guard objects[path]?[interface] != nil else { return nil }
    objects[path]?[interface]?.merge(changes) { $1 }
    return Self.changed(path, interface, changes, invalidated: [])
  }

  /// Takes a property away; nil when it was not there.
  mutating func withdraw(_ path: String, _ interface: String, _ property: String) -> DBus.Signal? {
    guard objects[path]?[interface]?.removeValue(forKey: property) != nil else { return nil }
    return Self.changed(path, interface, [:], invalidated: [property])
  }

  private static func changed(
    _ path: String, _ interface: String, _ changes: Properties, invalidated: [String]
  ) -> DBus.Signal {
    DBus.Signal(
      path: path, interface: propertiesInterface, member: "PropertiesChanged",
      body: [.string(interface), .properties(changes), .strings(invalidated)])
  }

  private static func dictionary(_ interfaces: [String: Properties]) -> DBus.Value {
    var entries: [DBus.Value: DBus.Value] = [:]
    for (name, properties) in interfaces { entries[.string(name)] = .properties(properties) }
    return .dictionary(entries, key: "s", value: "a{sv}")
  }
}

/// The interfaces of BlueZ that the stand-in serves (BlueZ, `doc/org.bluez.*.rst`).
enum BlueZInterface {
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let service = "org.bluez.GattService1"
  static let characteristic = "org.bluez.GattCharacteristic1"
}
