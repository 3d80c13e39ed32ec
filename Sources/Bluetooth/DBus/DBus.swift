import Host

/// D-Bus as this program speaks it: values, calls, signals and one connection per bus, over
/// libdbus.
package enum DBus {
  /// The bus itself, as a peer.
  static let busName = "org.freedesktop.DBus"
  static let busPath = "/org/freedesktop/DBus"

  /// Where the system bus listens: `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known socket
  /// (D-Bus Specification, "Well-known Message Bus Instances").
  package static var systemBusAddress: String {
    Environment["DBUS_SYSTEM_BUS_ADDRESS"] ?? "unix:path=/run/dbus/system_bus_socket"
  }
}
