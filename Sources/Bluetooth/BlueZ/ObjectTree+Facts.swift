import Domain

/// What the mirror says, in the words of this program.
extension ObjectTree {
  /// An adapter as it stands.
  struct AdapterFacts: Hashable, Sendable {
    let path: String
    let address: BluetoothAddress
    let isPowered: Bool
    /// `off-blocked` and the like; nil before BlueZ 5.66.
    let powerState: String?
    let isDiscovering: Bool

    /// `hci0`
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  /// A device as it stands.
  struct DeviceFacts: Hashable, Sendable {
    let path: String
    let address: BluetoothAddress
    let name: AdvertisedName?
    let rssi: Int?
    let isConnected: Bool
    let areServicesResolved: Bool
    /// Greater for an object that appeared later.
    let birth: Int
  }

  var adapters: [AdapterFacts] { paths(of: BlueZ.adapter).compactMap(adapter) }

  func adapter(_ path: String) -> AdapterFacts? {
    guard let properties = self[path, BlueZ.adapter],
      let address = properties["Address"]?.text.flatMap(BluetoothAddress.init)
    else { return nil }
    return AdapterFacts(
      path: path, address: address, isPowered: properties["Powered"]?.boolean ?? false,
      powerState: properties["PowerState"]?.text,
      isDiscovering: properties["Discovering"]?.boolean ?? false)
  }

  func devices(on adapter: String) -> [DeviceFacts] {
    paths(of: BlueZ.device, under: adapter + "/").compactMap(device)
  }

  func device(_ path: String) -> DeviceFacts? {
    guard let properties = self[path, BlueZ.device],
      let address = properties["Address"]?.text.flatMap(BluetoothAddress.init)
    else { return nil }
    return DeviceFacts(
      path: path, address: address,
      name: properties["Name"]?.text.flatMap { AdvertisedName($0) },
      rssi: properties["RSSI"]?.integer,
      isConnected: properties["Connected"]?.boolean ?? false,
      areServicesResolved: properties["ServicesResolved"]?.boolean ?? false,
      birth: birth(ofDevice: path))
  }

  /// Where BlueZ shows a device of this address: `…/dev_AA_BB_CC_DD_EE_FF`.
  static func path(ofDevice address: BluetoothAddress, on adapter: String) -> String {
    "\(adapter)/dev_\(address.text.replacing(":", with: "_"))"
  }

  func device(_ address: BluetoothAddress, on adapter: String) -> DeviceFacts? {
    devices(on: adapter).first { $0.address == address }
  }

  /// The characteristics of a device, path by UUID in lower case, in whatever service.
  func characteristics(of device: String) -> [String: String] {
    var paths: [String: String] = [:]
    for path in self.paths(of: BlueZ.characteristic, under: device + "/") {
      guard let uuid = self[path, BlueZ.characteristic]?["UUID"]?.text else { continue }
      paths[uuid.lowercased()] = path
    }
    return paths
  }
}
