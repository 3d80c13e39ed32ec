import Bluetooth
import Domain

extension StandInBlueZ {
  static func path(ofAdapter index: Int) -> String { "/org/bluez/hci\(index)" }

  /// The address of the stand-in's first adapter.
  package static var adapterAddress: String { "00:1A:7D:DA:71:13" }

  /// Plugs an adapter in.
  package func addAdapter(
    _ index: Int = 0, address: String = StandInBlueZ.adapterAddress, isPowered: Bool = true,
    isBlocked: Bool = false
  ) {
    guard let address = BluetoothAddress(address) else { return }
    let path = Self.path(ofAdapter: index)
    let adapter = StandInAdapter(
      address: address, isPowered: isPowered && !isBlocked, isBlocked: isBlocked)
    adapters[path] = adapter
    emit(
      objects.add(
        path,
        [
          BlueZInterface.adapter: [
            "Address": .string(address.text), "AddressType": .string("public"),
            "Name": .string("gateway"), "Alias": .string("gateway"),
            "Powered": .boolean(adapter.isPowered), "PowerState": .string(adapter.powerState),
            "Discoverable": .boolean(false), "Pairable": .boolean(false),
            "Discovering": .boolean(false), "UUIDs": .strings([]),
          ]
        ]))
  }

  /// Pulls an adapter out.
  ///
  /// - Parameter quietly: without a word about its devices, as the kernel does it at times (B08).
  package func removeAdapter(_ index: Int = 0, quietly: Bool = false) {
    let path = Self.path(ofAdapter: index)
    for device in devices(of: path) { removeObject(device, quietly: quietly) }
    adapters[path] = nil
    emit(objects.remove(path))
  }

  /// Turns an adapter on or off, as its owner would by other means; `isBlocked` is rfkill's.
  package func setAdapter(_ index: Int = 0, isPowered: Bool, isBlocked: Bool = false) {
    let path = Self.path(ofAdapter: index)
    adapters[path]?.isBlocked = isBlocked
    power(path, isPowered && !isBlocked)
  }

  func power(_ path: String, _ isOn: Bool) {
    guard var adapter = adapters[path] else { return }
    let wasDiscovering = adapter.isDiscovering
    adapter.isPowered = isOn
    if !isOn { adapter.sessions = [:] }
    adapters[path] = adapter
    if !isOn {
      if wasDiscovering { stoppedDiscovering(path) }
      for device in devices(of: path) { drop(device) }
    }
    set(
      path, BlueZInterface.adapter,
      ["Powered": .boolean(isOn), "PowerState": .string(adapter.powerState)])
  }

  // MARK: Discovery

  func setDiscoveryFilter(_ call: DBus.IncomingCall) {
    guard adapters[call.path] != nil else { return refuse(call, .standard(.unknownMethod)) }
    let options = call.body.first?.table ?? [:]
    note(.filter(options))
    adapters[call.path]?.filters[call.sender] = DiscoveryFilter(options)
    answer(call)
  }

  func startDiscovery(_ call: DBus.IncomingCall) {
    guard let adapter = adapters[call.path] else {
      return refuse(call, .standard(.unknownMethod))
    }
    guard adapter.isPowered else { return refuse(call, .notReady) }
    guard adapter.sessions[call.sender] == nil else { return refuse(call, .inProgress) }
    adapters[call.path]?.sessions[call.sender] =
      adapter.filters[call.sender] ?? DiscoveryFilter()
    answer(call)
    if !adapter.isDiscovering { startedDiscovering(call.path) }
    endDiscovery(on: call.path, with: call.sender)
    listen()
  }

  func stopDiscovery(_ call: DBus.IncomingCall) {
    guard let adapter = adapters[call.path] else {
      return refuse(call, .standard(.unknownMethod))
    }
    guard adapter.isPowered else { return refuse(call, .notReady) }
    guard adapter.sessions[call.sender] != nil else { return refuse(call, .noDiscovery) }
    answer(call)
    endSession(of: call.sender, on: call.path)
  }

  private func startedDiscovering(_ path: String) {
    note(.discovering(true))
    set(path, BlueZInterface.adapter, ["Discovering": .boolean(true)])
  }

  /// RSSI is withdrawn from what was heard; the devices stay for a while.
  private func stoppedDiscovering(_ path: String) {
    note(.discovering(false))
    for device in devices(of: path) {
      emit(objects.withdraw(device, BlueZInterface.device, "RSSI"))
    }
    set(path, BlueZInterface.adapter, ["Discovering": .boolean(false)])
  }

  private func endSession(of client: String, on path: String) {
    guard adapters[path]?.sessions.removeValue(forKey: client) != nil else { return }
    if adapters[path]?.isDiscovering == false { stoppedDiscovering(path) }
  }

  /// A session ends with the client that asked for it.
  private func endDiscovery(on path: String, with client: String) {
    guard watched.insert(client).inserted else { return }
    errand { standIn in
      guard let events = await standIn.follow(client) else { return }
      for await event in events where event == .owner(nil) {
        for path in standIn.adapters.keys {
          standIn.endSession(of: client, on: path)
          standIn.adapters[path]?.filters[client] = nil
        }
        standIn.watched.remove(client)
        return
      }
    }
  }

  /// Discovery ends unasked, for everybody (B10).
  package func dropDiscovery(_ index: Int = 0) {
    let path = Self.path(ofAdapter: index)
    guard adapters[path]?.isDiscovering == true else { return }
    adapters[path]?.sessions = [:]
    stoppedDiscovering(path)
  }

  /// Another program scans too, without a filter, before or beside ours (B10).
  package func discoverForOthers(_ index: Int = 0) {
    let path = Self.path(ofAdapter: index)
    guard let adapter = adapters[path], adapter.isPowered else { return }
    adapters[path]?.sessions["another program"] = DiscoveryFilter()
    if !adapter.isDiscovering { startedDiscovering(path) }
    listen()
  }

  // MARK: The service

  /// bluetoothd restarts: its name goes, and comes back later with nothing remembered (B09).
  ///
  /// - Parameters:
  ///   - span: without an owner.
  ///   - adapterAfter: from the new start to the adapter's appearance.
  package func restart(after span: Duration, adapterAfter: Duration = .zero) async {
    let kept = adapters
    for path in links.keys { endLink(path) }
    attempts = [:]
    heardAt = [:]
    adapters = [:]
    objects.removeAll()
    await releaseName()
    errand { standIn in
      try await standIn.time.sleep(span)
      await standIn.takeName()
      try await standIn.time.sleep(adapterAfter)
      for (path, adapter) in kept {
        standIn.addAdapter(
          Int(path.drop { !$0.isNumber }) ?? 0, address: adapter.address.text,
          isPowered: adapter.isPowered, isBlocked: adapter.isBlocked)
      }
    }
  }
}
