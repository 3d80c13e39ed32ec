import Crypto
import Domain
import FoundationEssentials
import Host

/// What the daemon must know of its own broker: its accounts there and the address given to sensors.
///
/// A file of the daemon's, mode 0600: whoever can read it could read the daemon's memory as well.
package struct BrokerCredentials: Hashable, Sendable {
  /// The address that sensors are given; frozen in each of them.
  package var sensorAddress: IPv4Address
  package var gateway: Account
  package var administrator: Account

  package struct Account: Hashable, Sendable {
    package let user: String
    package let password: Secret
  }

  package static let gatewayUser = "soundgate"
  package static let administratorUser = "soundgate-admin"

  /// New passwords for both accounts.
  package static func new(sensorAddress: IPv4Address) -> BrokerCredentials {
    BrokerCredentials(
      sensorAddress: sensorAddress,
      gateway: Account(user: gatewayUser, password: RandomText.password()),
      administrator: Account(user: administratorUser, password: RandomText.password()))
  }

  /// - Throws: `SG-MQTT-321` when there is none or it cannot be read.
  package static func load(_ path: String) throws(Fault) -> BrokerCredentials {
    do {
      let content = try Files.read(path, atMost: 64 * 1024)
      let stored = try JSONDecoder().decode(Stored.self, from: Data(content))
      return BrokerCredentials(
        sensorAddress: stored.sensorAddress,
        gateway: Account(user: gatewayUser, password: Secret(stored.gatewayPassword)),
        administrator: Account(
          user: administratorUser, password: Secret(stored.administratorPassword)))
    } catch let error as FileError {
      throw Fault(.brokerNotSetUp, "\(error)")
    } catch {
      throw Fault(.brokerNotSetUp, "\(path) is damaged")
    }
  }

  /// The file's content.
  func encoded() throws(Fault) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let stored = Stored(
      sensorAddress: sensorAddress, gatewayPassword: gateway.password.reveal(),
      administratorPassword: administrator.password.reveal())
    guard let data = try? encoder.encode(stored) else {
      throw Fault(.internalFault, "the broker's credentials could not be written as JSON")
    }
    return [UInt8](data) + [UInt8(ascii: "\n")]
  }

  private struct Stored: Codable {
    let sensorAddress: IPv4Address
    let gatewayPassword: String
    let administratorPassword: String
  }
}
