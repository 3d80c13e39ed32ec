/// Names of BlueZ's D-Bus interface (BlueZ, `doc/org.bluez.*.rst`).
enum BlueZ {
  static let service = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let characteristic = "org.bluez.GattCharacteristic1"
  static let objectManager = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"
}
