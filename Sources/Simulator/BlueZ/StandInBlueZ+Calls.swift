import Bluetooth

extension StandInBlueZ {
  /// Takes one call: notes it, misbehaves if it is time to, serves it else.
  func receive(_ call: DBus.IncomingCall) {
    guard let method = Method(rawValue: call.member) else {
      return refuse(call, .standard(.unknownMethod, "\(call.interface).\(call.member)"))
    }
    note(.called(method))
    if isTime(for: .swallow(method)) { return }
    let refusal = occasion { if case .refuse(method, _) = $0 { true } else { false } }
    if case .refuse(_, let error) = refusal { return refuse(call, error) }
    let delay = occasion { if case .delay(method, _) = $0 { true } else { false } }
    if case .delay(_, let span) = delay {
      return errand { standIn in
        try await standIn.time.sleep(span)
        standIn.serve(method, call)
      }
    }
    serve(method, call)
  }

  private func serve(_ method: Method, _ call: DBus.IncomingCall) {
    if method == .managedObjects {
      return answer(call, [objects.managed])
    }
    guard objects.contains(call.path) else {
      return refuse(call, .standard(.unknownObject, "no object \(call.path)"))
    }
    switch method {
    case .managedObjects: break
    case .get, .all, .set: serveProperty(method, call)
    case .setDiscoveryFilter: setDiscoveryFilter(call)
    case .startDiscovery: startDiscovery(call)
    case .stopDiscovery: stopDiscovery(call)
    case .removeDevice: removeDevice(call)
    case .connect: errand { await $0.connect(call) }
    case .disconnect: disconnect(call)
    case .read, .write, .startNotify, .stopNotify:
      errand { await $0.operate(method, call) }
    }
  }

  private func serveProperty(_ method: Method, _ call: DBus.IncomingCall) {
    guard let interface = call.body.first?.text,
      let properties = objects.properties(call.path, interface)
    else { return refuse(call, .standard(.unknownInterface)) }
    if method == .all { return answer(call, [.properties(properties)]) }
    guard call.body.count > 1, let name = call.body[1].text else {
      return refuse(call, .standard(.invalidArguments))
    }
    if method == .get {
      guard let value = properties[name] else { return refuse(call, .standard(.unknownProperty)) }
      return answer(call, [.variant(value)])
    }
    guard interface == BlueZInterface.adapter, name == "Powered", call.body.count > 2,
      let isOn = call.body[2].boolean
    else { return refuse(call, .notSupported) }
    guard adapters[call.path]?.isBlocked == false else { return refuse(call, .blocked) }
    power(call.path, isOn)
    answer(call)
  }
}
