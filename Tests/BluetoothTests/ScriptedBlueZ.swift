import Bluetooth

/// An `org.bluez` on a private bus that does what BlueZ does when all goes well, until a test tells it
/// to do otherwise (`on`). Every call it receives is recorded.
actor ScriptedBlueZ {
  typealias Properties = [String: DBus.Value]
  /// Answers, refuses or swallows one call.
  typealias Step = @Sendable (isolated ScriptedBlueZ, DBus.IncomingCall) async throws -> Void

  static let adapterInterface = "org.bluez.Adapter1"
  static let deviceInterface = "org.bluez.Device1"
  static let characteristicInterface = "org.bluez.GattCharacteristic1"

  private let connection: DBus.Connection
  private var objects: [String: [String: Properties]] = [:]
  private var steps: [String: [Step]] = [:]
  private(set) var calls: [DBus.IncomingCall] = []
  private var watchers: [(isMet: ([DBus.IncomingCall]) -> Bool, CheckedContinuation<Void, Never>)] =
    []
  private var serving: Task<Void, Never>?

  private init(_ connection: DBus.Connection) { self.connection = connection }

  /// Serves on the bus at `address`; `appear()` takes the name.
  static func start(on address: String) async throws -> ScriptedBlueZ {
    let bluez = ScriptedBlueZ(try await DBus.Connection.open(address))
    await bluez.serve()
    return bluez
  }

  private func serve() async {
    let calls = await connection.incomingCalls()
    serving = Task { for await call in calls { await take(call) } }
  }

  func appear() async throws { try await connection.own("org.bluez") }

  func disappear() async throws { try await connection.release("org.bluez") }

  /// Leaves the bus, as a crash would.
  func stop() async {
    serving?.cancel()
    await connection.close()
  }

  // MARK: The script

  /// What to do at the next call of `member`; several are taken in turn, and then the usual again.
  func on(_ member: String, times: Int = 1, _ step: @escaping Step) {
    steps[member, default: []] += Array(repeating: step, count: times)
  }

  /// How often `member` has been called.
  func count(_ member: String) -> Int { calls.count { $0.member == member } }

  /// Returns once `member` has been called so often.
  func called(_ member: String, times: Int = 1) async {
    await until { $0.count { $0.member == member } >= times }
  }

  private func until(_ isMet: @escaping ([DBus.IncomingCall]) -> Bool) async {
    if isMet(calls) { return }
    await withCheckedContinuation { watchers.append((isMet, $0)) }
  }

  private func take(_ call: DBus.IncomingCall) async {
    calls.append(call)
    let met = watchers.filter { $0.isMet(calls) }
    watchers.removeAll { $0.isMet(calls) }
    do {
      if steps[call.member]?.isEmpty == false, let step = steps[call.member]?.removeFirst() {
        try await step(self, call)
      } else {
        try await doTheUsual(call)
      }
    } catch {
      try? await refuse(call, "org.bluez.Error.Failed", "\(error)")
    }
    for (_, watcher) in met { watcher.resume() }
  }

  func answer(_ call: DBus.IncomingCall, _ body: [DBus.Value] = []) async throws {
    try await connection.answer(call, body)
  }

  func refuse(_ call: DBus.IncomingCall, _ name: String, _ message: String = "") async throws {
    try await connection.refuse(call, BusError(name: name, message: message))
  }

  // MARK: Objects

  /// Shows an object, or more of it, and says so.
  func add(_ path: String, _ interface: String, _ properties: Properties) async throws {
    objects[path, default: [:]][interface] = properties
    try await emit(
      "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
      [
        .objectPath(path),
        .dictionary(
          [.string(interface): .properties(properties)], key: "s", value: "a{sv}"),
      ])
  }

  /// Takes an object away; `below` its children too, which BlueZ does not always say.
  func remove(_ path: String, silently: Bool = false) async throws {
    guard let interfaces = objects.removeValue(forKey: path) else { return }
    if silently { return }
    try await emit(
      "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
      [.objectPath(path), .strings(interfaces.keys.sorted())])
  }

  func removeAll(under parent: String, silently: Bool = false) async throws {
    for path in objects.keys.sorted().reversed() where path.hasPrefix(parent) {
      try await remove(path, silently: silently)
    }
  }

  func set(
    _ path: String, _ interface: String, _ changed: Properties, withdrawn: [String] = []
  ) async throws {
    if objects[path]?[interface] != nil {
      objects[path]?[interface]?.merge(changed) { $1 }
      for name in withdrawn { objects[path]?[interface]?[name] = nil }
    }
    try await emit(
      path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
      [.string(interface), .properties(changed), .strings(withdrawn)])
  }

  func has(_ path: String) -> Bool { objects[path] != nil }

  func property(_ path: String, _ interface: String, _ name: String) -> DBus.Value? {
    objects[path]?[interface]?[name]
  }

  private func emit(
    _ path: String, _ interface: String, _ member: String, _ body: [DBus.Value]
  ) async throws {
    try await connection.emit(
      DBus.Signal(path: path, interface: interface, member: member, body: body))
  }

  func managedObjects() -> DBus.Value {
    var all: [DBus.Value: DBus.Value] = [:]
    for (path, interfaces) in objects {
      var table: [DBus.Value: DBus.Value] = [:]
      for (interface, properties) in interfaces {
        table[.string(interface)] = .properties(properties)
      }
      all[.objectPath(path)] = .dictionary(table, key: "s", value: "a{sv}")
    }
    return .dictionary(all, key: "o", value: "a{sa{sv}}")
  }
}
