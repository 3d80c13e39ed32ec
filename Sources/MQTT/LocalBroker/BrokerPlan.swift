import Glibc
import Host

/// The files that a broker's set-up has to write; empty when all is as it should be.
package struct BrokerPlan: Sendable, Hashable {
  package private(set) var files: [File] = []

  package struct File: Sendable, Hashable {
    package let path: String
    package let content: [UInt8]
    package let mode: mode_t
    package let owner: BrokerSetup.Owners.User?
  }

  package var isEmpty: Bool { files.isEmpty }

  /// The paths, for a person.
  package var paths: [String] { files.map(\.path) }

  /// Whether one of the broker's own files is among them, so that it has to be started anew.
  package func concerns(_ broker: LocalBroker) -> Bool {
    files.contains { $0.path.hasPrefix("\(broker.directory)/") }
  }

  /// Adds a file, readable by its owner alone, unless it is there already, byte for byte.
  mutating func put(
    _ content: [UInt8], at path: String, _ owner: BrokerSetup.Owners.User?
  ) {
    let present = try? Files.read(path, atMost: BrokerGuard.limit)
    guard present != content || !isOwned(path, by: owner) else { return }
    files.append(File(path: path, content: content, mode: 0o600, owner: owner))
  }

  private func isOwned(_ path: String, by owner: BrokerSetup.Owners.User?) -> Bool {
    guard let owner else { return true }
    var status = stat()
    return stat(path, &status) == 0 && status.st_uid == owner.uid
  }
}
