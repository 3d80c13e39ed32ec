import Domain

/// What is known of the Bluetooth service at one moment.
struct BlueZSnapshot: Sendable {
  /// The adapter's address, when one is configured.
  let choice: BluetoothAddress?
  let rfkill: RFKill
  var standing: Standing = .unknown
  /// Grows whenever everything known before is void: another bus, another bluetoothd.
  var epoch = 0
  var tree = ObjectTree()
  /// How many want the adapter to discover.
  var demand = 0
  /// Whom links of ours are open to, or being opened.
  var linked: Set<BluetoothAddress> = []
  /// Advertisements heard of devices that are kept.
  var hearings = 0
  /// Why discovery did not start when it was last asked to.
  var refusal: Fault?

  init(choice: BluetoothAddress?, rfkill: RFKill) {
    self.choice = choice
    self.rfkill = rfkill
  }

  /// An adapter that something was begun on.
  struct AdapterInUse: Hashable, Sendable {
    let path: String
    let address: BluetoothAddress
    let epoch: Int

    /// `hci0`
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  enum Standing: Hashable, Sendable {
    /// Nothing is known yet.
    case unknown
    case busLost(BusError)
    /// Nobody owns `org.bluez`, or it does not answer.
    case absent(String)
    case denied(BusError)
    case present

    /// For the log.
    var sentence: String {
      switch self {
      case .unknown: "BlueZ is being asked"
      case .busLost: "the system bus is out of reach"
      case .absent: "BlueZ is absent"
      case .denied: "the bus's policy keeps us from BlueZ"
      case .present: "BlueZ is present"
      }
    }

    var detail: String {
      switch self {
      case .unknown, .present: ""
      case .busLost(let error), .denied(let error): error.description
      case .absent(let detail): detail
      }
    }
  }

  /// The adapter to use, ready to be used: the configured one, else the first powered one.
  var usableAdapter: AdapterInUse? {
    guard standing == .present,
      let facts = tree.adapters.first(where: { $0.isPowered && isChosen($0) })
    else { return nil }
    return AdapterInUse(path: facts.path, address: facts.address, epoch: epoch)
  }

  private func isChosen(_ adapter: ObjectTree.AdapterFacts) -> Bool {
    choice == nil || adapter.address == choice
  }

  /// Why there is no usable adapter.
  var fault: Fault {
    switch standing {
    case .unknown: return Fault(.bluetoothdAbsent, "org.bluez has not answered yet")
    case .busLost(let error): return Fault(.busUnreachable, error.description)
    case .absent(let detail): return Fault(.bluetoothdAbsent, detail)
    case .denied(let error): return Fault(.bluetoothDenied, error.description)
    case .present: break
    }
    let adapters = tree.adapters
    guard let adapter = adapters.first(where: isChosen) else {
      if let block = rfkill.block(of: nil), adapters.isEmpty {
        return Fault(.adapterBlocked, "rfkill: \(block.rawValue)")
      }
      let present = adapters.map { "\($0.name) \($0.address)" }.joined(separator: ", ")
      let wanted = choice.map { "\($0) is not among: " } ?? ""
      return Fault(.adapterAbsent, adapters.isEmpty ? "no adapter" : wanted + present)
    }
    return Self.fault(of: adapter, rfkill: rfkill)
  }

  private static func fault(of adapter: ObjectTree.AdapterFacts, rfkill: RFKill) -> Fault {
    let block = rfkill.block(of: adapter.name)
    if adapter.powerState == "off-blocked" || (adapter.powerState == nil && block != nil) {
      return Fault(.adapterBlocked, "\(adapter.name), rfkill: \(block?.rawValue ?? "blocked")")
    }
    return Fault(.adapterOff, adapter.name)
  }

  /// Where the adapter stands; nil while that is being found out.
  var condition: RadioCondition? {
    guard let adapter = usableAdapter else { return standing == .unknown ? nil : .unusable(fault) }
    // A scan that is wanted and does not start.
    if demand > 0, let refusal { return .unusable(refusal) }
    return .ready(adapter: adapter.name, address: adapter.address)
  }

  /// Why what was begun on an adapter cannot go on; nil when it can.
  func loss(of adapter: AdapterInUse) -> Fault? {
    switch standing {
    case .busLost(let error): return Fault(.busUnreachable, error.description)
    case .denied(let error): return Fault(.bluetoothDenied, error.description)
    case .unknown, .absent, .present: break
    }
    guard adapter.epoch == epoch, standing == .present else {
      return Fault(.bluetoothdRestarted, "org.bluez changed hands")
    }
    guard let facts = tree.adapter(adapter.path) else {
      return Fault(.adapterLost, adapter.name)
    }
    return facts.isPowered ? nil : Self.fault(of: facts, rfkill: rfkill)
  }
}
