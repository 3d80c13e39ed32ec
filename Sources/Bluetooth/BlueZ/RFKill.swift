import FoundationEssentials

/// The kernel's radio switches, as sysfs shows them (Linux, `Documentation/driver-api/rfkill.rst`).
struct RFKill: Sendable {
  let directory: String

  enum Block: String, Sendable {
    /// A program did it; a program can undo it.
    case soft
    /// A switch on the machine.
    case hard
  }

  /// How Bluetooth is blocked, if it is; a hard block wins.
  ///
  /// - Parameter adapter: `hci0`; the switches of other adapters do not count. A switch that belongs
  ///   to no adapter (a laptop's key) always counts.
  func block(of adapter: String?) -> Block? {
    let switches = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    var found: Block?
    for name in switches where text(name, "type") == "bluetooth" {
      let owner = text(name, "name") ?? ""
      if let adapter, owner.hasPrefix("hci"), owner != adapter { continue }
      if text(name, "hard") == "1" { return .hard }
      if text(name, "soft") == "1" { found = .soft }
    }
    return found
  }

  private func text(_ name: String, _ attribute: String) -> String? {
    let path = "\(directory)/\(name)/\(attribute)"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return String(text.prefix { !$0.isNewline })
  }
}
