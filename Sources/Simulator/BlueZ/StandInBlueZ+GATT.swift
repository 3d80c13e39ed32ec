import Bluetooth
import Domain

/// Attributes, and operations on them.
extension StandInBlueZ {
  /// One exchange over the air, at a connection interval of 30 ms.
  private static var exchange: Duration { .milliseconds(30) }

  func showAttributes(_ device: String, base: Int) {
    guard let link = links[device] else { return }
    // As handles do, the paths differ from one connection to the next.
    var handle = base * 64 + 16
    for service in SensorCharacteristic.Service.allCases {
      let servicePath = "\(device)/service\(Self.hex(handle))"
      emit(
        objects.add(
          servicePath,
          [
            BlueZInterface.service: [
              "UUID": .string(service.rawValue), "Device": .objectPath(device),
              "Primary": .boolean(true), "Includes": .array([], of: "o"),
            ]
          ]))
      handle += 1
      for characteristic in service.characteristics
      where !link.traits.missing.contains(characteristic) && !isTime(for: .missing(characteristic))
      {
        let path = "\(servicePath)/char\(Self.hex(handle))"
        handle += 3
        links[device]?.attributes[path] = characteristic
        emit(objects.add(path, attribute(characteristic, in: servicePath, mtu: link.mtu)))
      }
    }
  }

  private func attribute(
    _ characteristic: SensorCharacteristic, in service: String, mtu: Int
  ) -> [String: BlueZObjects.Properties] {
    var properties: BlueZObjects.Properties = [
      "UUID": .string(characteristic.rawValue), "Service": .objectPath(service),
      "Value": .bytes([]), "Flags": .strings(characteristic.flags),
    ]
    if characteristic.flags.contains("notify") {
      properties["Notifying"] = .boolean(isTime(for: .keepNotifying))
    }
    if !isTime(for: .withoutMTU) { properties["MTU"] = .uint16(UInt16(mtu)) }
    return [BlueZInterface.characteristic: properties]
  }

  func hideAttributes(_ device: String) {
    links[device]?.attributes = [:]
    links[device]?.notifying = []
    for path in objects.paths.reversed() where path.hasPrefix("\(device)/") {
      emit(objects.remove(path))
    }
  }

  private static func hex(_ handle: Int) -> String {
    let digits = String(handle, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  // MARK: Operations

  func operate(_ method: Method, _ call: DBus.IncomingCall) async {
    guard let device = links.first(where: { $0.value.attributes[call.path] != nil })?.key,
      let link = links[device], let characteristic = link.attributes[call.path]
    else { return refuse(call, .standard(.unknownObject, "no object \(call.path)")) }
    if link.operations > 0 { note(.overlapped(link.address)) }
    links[device]?.operations += 1
    defer { if links[device]?.number == link.number { links[device]?.operations -= 1 } }
    guard (try? await time.sleep(Self.exchange)) != nil, let now = links[device],
      now.number == link.number
    else { return refuse(call, .notConnected) }
    guard !now.isSilent else {
      links[device]?.stalled.append(call)
      return
    }
    switch method {
    case .read: await read(characteristic, link, call)
    case .write: await write(characteristic, link, call)
    case .startNotify: await subscribe(characteristic, link, device, call)
    case .stopNotify: await unsubscribe(characteristic, link, device, call)
    default: break
    }
  }

  private func read(
    _ characteristic: SensorCharacteristic, _ link: StandInLink, _ call: DBus.IncomingCall
  ) async {
    guard characteristic.flags.contains("read") else {
      return refuse(call, .bluez("NotPermitted", "Read not permitted"))
    }
    let value = await link.sensor.snapshot.value(of: characteristic)
    note(.read(link.address, characteristic: characteristic.rawValue))
    // BlueZ tells of a value read as it does of one notified.
    set(call.path, BlueZInterface.characteristic, ["Value": .bytes(value)])
    answer(call, [.bytes(value)])
  }

  private func write(
    _ characteristic: SensorCharacteristic, _ link: StandInLink, _ call: DBus.IncomingCall
  ) async {
    guard let bytes = call.body.first?.bytes else {
      return refuse(call, .standard(.invalidArguments))
    }
    let options = call.body.count > 1 ? call.body[1].table ?? [:] : [:]
    let isCommand = options["type"]?.text == "command"
    guard characteristic.flags.contains(isCommand ? "write-without-response" : "write") else {
      return refuse(call, .notPermitted)
    }
    guard bytes.count <= (isCommand ? link.mtu - 3 : 512) else {
      return refuse(call, .invalidLength)
    }
    note(.written(link.address, characteristic: characteristic.rawValue, bytes))
    await link.sensor.take(.write(characteristic, bytes))
    answer(call)
  }

  private func subscribe(
    _ characteristic: SensorCharacteristic, _ link: StandInLink, _ device: String,
    _ call: DBus.IncomingCall
  ) async {
    guard characteristic.flags.contains("notify"),
      !link.traits.unsubscribable.contains(characteristic)
    else { return refuse(call, .notSupported) }
    await link.sensor.take(.subscribe(characteristic, true))
    note(.subscribed(link.address, characteristic: characteristic.rawValue, true))
    links[device]?.notifying.insert(call.path)
    set(call.path, BlueZInterface.characteristic, ["Notifying": .boolean(true)])
    answer(call)
  }

  private func unsubscribe(
    _ characteristic: SensorCharacteristic, _ link: StandInLink, _ device: String,
    _ call: DBus.IncomingCall
  ) async {
    guard links[device]?.notifying.remove(call.path) != nil else {
      return refuse(call, .bluez("Failed", "No notify session started"))
    }
    await link.sensor.take(.subscribe(characteristic, false))
    note(.subscribed(link.address, characteristic: characteristic.rawValue, false))
    set(call.path, BlueZInterface.characteristic, ["Notifying": .boolean(false)])
    answer(call)
  }

  func notify(_ bytes: [UInt8], of characteristic: SensorCharacteristic, on device: String) {
    guard let link = links[device],
      let path = link.notifying.first(where: { link.attributes[$0] == characteristic })
    else { return }
    note(.notified(link.address, characteristic: characteristic.rawValue, bytes))
    set(path, BlueZInterface.characteristic, ["Value": .bytes(bytes)])
  }
}
