import Testing

@Suite("The unit files")
struct UnitFileTests {
  /// The values of a key, in order; a unit may give one several times.
  private func values(_ key: String, in unit: String) throws -> [String] {
    try Tree.text(of: "systemd/\(unit).service").split(separator: "\n")
      .filter { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
  }

  private func words(_ key: String, in unit: String) throws -> [Substring] {
    try values(key, in: unit).flatMap { $0.split(separator: " ") }
  }

  // "no exit, no failed unit; After=/Wants= but not Requires= bluetooth"
  @Test("O02: the daemon follows bluetoothd and wants it, but does not need it")
  func bluetoothIsNotRequired() throws {
    #expect(try words("After", in: "soundgate").contains("bluetooth.service"))
    #expect(try words("Wants", in: "soundgate").contains("bluetooth.service"))
    for key in ["Requires", "Requisite", "BindsTo", "PartOf"] {
      #expect(try values(key, in: "soundgate").isEmpty, "\(key)=")
    }
  }

  // "package creates a static system user with the needed group or policy, no DynamicUser"
  @Test("O01: each service runs as a fixed user, made at installation and allowed on the bus")
  func usersAreFixed() throws {
    let made = try Tree.text(of: "systemd/soundgate.sysusers").split(separator: "\n")
      .map { $0.split(separator: " ") }.filter { $0.first == "u" }.compactMap {
        $0.dropFirst().first
      }
    for unit in ["soundgate", "soundgate-broker"] {
      #expect(try values("User", in: unit) == [unit])
      #expect(try values("DynamicUser", in: unit).isEmpty)
      #expect(made.contains { $0 == unit })
    }
    let policy = try Tree.text(of: "systemd/soundgate.dbus.conf")
    #expect(policy.contains(/<policy user="soundgate">\s*<allow send_destination="org.bluez"\/>/))
  }

  @Test("put the guard of the account store, as root, in front of the broker")
  func theBrokerIsGuarded() throws {
    #expect(
      try values("ExecStartPre", in: "soundgate-broker")
        == ["+/usr/bin/soundgate broker check --store"])
  }

  @Test("bring both services back for ever")
  func servicesComeBack() throws {
    for unit in ["soundgate", "soundgate-broker"] {
      #expect(try values("Restart", in: unit) == ["always"])
      #expect(try values("StartLimitIntervalSec", in: unit) == ["0"])
    }
  }
}
