import Bluetooth
import Testing

@Suite("The mirror of BlueZ's objects")
struct ObjectTreeTests {
  private func added(_ path: String, _ interface: String, _ name: String) -> DBus.Signal {
    DBus.Signal(
      path: "/", interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded",
      body: [
        .objectPath(path),
        .dictionary(
          [.string(interface): .properties(["Name": .string(name), "RSSI": .int16(-50)])],
          key: "s", value: "a{sv}"),
      ])
  }

  /// B10: "keep nothing about foreign devices; … memory stays flat."
  @Test("B10: keeps nothing of foreign devices, nor of what is below them")
  func foreign() {
    var tree = ObjectTree()
    for number in 0..<10_000 {
      let path = "/org/bluez/hci0/dev_\(number)"
      #expect(tree.apply(added(path, "org.bluez.Device1", "Lamp \(number)")) == nil)
      let below = "\(path)/service0001/char0002"
      #expect(tree.apply(added(below, "org.bluez.GattCharacteristic1", "")) == nil)
      let signal = DBus.Signal(
        path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
        body: [
          .string("org.bluez.Device1"), .properties(["RSSI": .int16(-60)]), .strings([]),
        ])
      #expect(tree.apply(signal) == nil)
    }
    #expect(tree.count == 0)
    let sensor = "/org/bluez/hci0/dev_AA_BB_CC_00_00_01"
    let change = tree.apply(added(sensor, "org.bluez.Device1", "SOUND-SENSOR-0123456789AB"))
    #expect(change == .other)
    #expect(tree.count == 1)
  }

  @Test("is not led astray by signals that are not shaped like BlueZ's")
  func misshapen() {
    var tree = ObjectTree()
    let values: [DBus.Value] = [
      .byte(1), .strings(["a"]), .properties([:]), .objectPath("/"), .variant(.string("x")),
    ]
    for interface in ["org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"] {
      for member in ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged"] {
        for first in values {
          for second in values {
            for body in [[], [first], [first, second], [first, second, first]] {
              _ = tree.apply(
                DBus.Signal(path: "/", interface: interface, member: member, body: body))
            }
          }
        }
      }
    }
    tree.fill(.strings(["not", "objects"]))
    tree.fill(.dictionary([.objectPath("/a"): .byte(1)], key: "o", value: "y"))
    #expect(tree.count == 0)
  }
}
