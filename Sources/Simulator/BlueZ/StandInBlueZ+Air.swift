import Bluetooth
import Domain

/// What is on the air, and how it shows as devices.
extension StandInBlueZ {
  /// Brings a sensor within reach; its own button decides when it is heard.
  package func add(_ sensor: SensorRunner, rssi: Int = -58) async {
    let address = sensor.address
    let isOnAir = await sensor.snapshot.isAdvertised
    transmitters[address] = Transmitter(
      address: address, name: sensor.name, rssi: rssi, isOnAir: isOnAir, sensor: sensor)
    errand { standIn in
      for await effect in sensor.radio { standIn.heard(effect, from: address) }
    }
  }

  /// Brings something else within reach.
  package func add(_ bystander: Bystander) {
    transmitters[bystander.address] = Transmitter(
      address: bystander.address, name: bystander.name, rssi: bystander.rssi, isOnAir: true,
      sensor: nil)
  }

  /// A crowd of foreign devices (B10).
  package func flood(_ count: Int) {
    for number in 0..<count {
      let digits = String(number, radix: 16, uppercase: true)
      let padded = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      guard let address = BluetoothAddress("DE:AD:00:00:\(padded.prefix(2)):\(padded.suffix(2))")
      else { continue }
      add(Bystander(address: address, name: number % 3 == 0 ? nil : "lamp \(number)", rssi: -90))
    }
  }

  /// Shows a device from an earlier time, which nobody hears now (B11).
  package func addCached(_ bystander: Bystander, on adapter: Int = 0) {
    let path = Self.path(ofAdapter: adapter)
    var device = Self.device(bystander.address, on: path)
    device["Name"] = bystander.name.map { .string($0) }
    device["Alias"] = bystander.name.map { .string($0) } ?? device["Alias"]
    emit(objects.add(Self.path(of: bystander.address, on: path), [BlueZInterface.device: device]))
  }

  /// Sets how strongly a transmitter is heard, in dBm; nil takes it out of reach, and its link with
  /// it.
  package func setSignal(_ address: BluetoothAddress, rssi: Int?) {
    transmitters[address]?.rssi = rssi
    if rssi == nil { loseLink(to: address) }
  }

  /// The link to a sensor is lost on both sides.
  package func loseLink(to address: BluetoothAddress) {
    for (path, link) in links where link.address == address { drop(path) }
  }

  static func path(of address: BluetoothAddress, on adapter: String) -> String {
    "\(adapter)/dev_" + address.text.replacing(":", with: "_")
  }

  func devices(of adapter: String) -> [String] {
    objects.paths.filter {
      $0.hasPrefix("\(adapter)/") && objects.properties($0, BlueZInterface.device) != nil
    }
  }

  private static func device(
    _ address: BluetoothAddress, on adapter: String
  ) -> BlueZObjects.Properties {
    [
      "Address": .string(address.text), "AddressType": .string("public"),
      "Alias": .string(address.text.replacing(":", with: "-")), "Paired": .boolean(false),
      "Trusted": .boolean(false), "Blocked": .boolean(false), "LegacyPairing": .boolean(false),
      "Connected": .boolean(false), "ServicesResolved": .boolean(false), "UUIDs": .strings([]),
      "Adapter": .objectPath(adapter),
    ]
  }

  // MARK: Listening

  private static var advertisingInterval: Duration { .milliseconds(250) }
  private static var temporary: Duration { .seconds(30) }

  /// Hears the air for as long as somebody scans, and forgets what has not been heard for a while.
  func listen() {
    guard !isListening else { return }
    isListening = true
    errand { standIn in
      defer { standIn.isListening = false }
      while standIn.adapters.values.contains(where: \.isDiscovering) || !standIn.heardAt.isEmpty {
        standIn.hearEverything()
        standIn.forgetTheUnheard()
        try await standIn.time.sleep(Self.advertisingInterval)
      }
    }
  }

  private func hearEverything() {
    for (path, adapter) in adapters where adapter.isDiscovering {
      for transmitter in transmitters.values
      where transmitter.isOnAir && adapter.reports(transmitter) {
        if let rssi = transmitter.rssi { hear(transmitter, rssi, on: path, adapter) }
      }
    }
  }

  private func hear(
    _ transmitter: Transmitter, _ strength: Int, on adapterPath: String, _ adapter: StandInAdapter
  ) {
    let path = Self.path(of: transmitter.address, on: adapterPath)
    let isNew = heardAt[path] == nil
    heardAt[path] = time.now
    // The strength of a real radio is never quite the same twice.
    let rssi = DBus.Value.int16(Int16(clamping: strength + Int.random(in: -1...1)))
    guard let known = objects.properties(path, BlueZInterface.device) else {
      var device = Self.device(transmitter.address, on: adapterPath)
      device["RSSI"] = rssi
      return emit(objects.add(path, [BlueZInterface.device: device]))
    }
    var changes: BlueZObjects.Properties = [:]
    if isNew || known["RSSI"] == nil || adapter.sessions.values.contains(where: \.hasRSSI) {
      changes["RSSI"] = rssi
    }
    if let name = transmitter.name, known["Name"]?.text != name {
      changes["Name"] = .string(name)
      changes["Alias"] = .string(name)
    }
    if !changes.isEmpty { set(path, BlueZInterface.device, changes) }
  }

  private func forgetTheUnheard() {
    for (path, moment) in heardAt where time.now - moment > Self.temporary && links[path] == nil {
      removeObject(path)
    }
  }

  // MARK: Removing

  func removeDevice(_ call: DBus.IncomingCall) {
    guard let path = call.body.first?.text, path.hasPrefix("\(call.path)/"),
      objects.properties(path, BlueZInterface.device) != nil
    else { return refuse(call, .doesNotExist) }
    removeObject(path)
    answer(call)
  }

  func removeObject(_ path: String, quietly: Bool = false) {
    endLink(path)
    attempts[path] = nil
    heardAt[path] = nil
    if let address = objects.properties(path, BlueZInterface.device)?["Address"]?.text,
      let address = BluetoothAddress(address)
    {
      note(.removed(address))
    }
    let signals =
      objects.paths.filter { $0.hasPrefix("\(path)/") }.map { objects.remove($0) }
      + [objects.remove(path)]
    if !quietly { for signal in signals { emit(signal) } }
  }
}
