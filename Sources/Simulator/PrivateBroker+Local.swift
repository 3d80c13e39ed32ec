import Domain
import Glibc
import MQTT

extension PrivateBroker {
  /// A broker set up as on a real gateway, with its files and the daemon's under `directory`, listening
  /// on 8883 of a loopback address and run by the present user.
  ///
  /// - Parameters:
  ///   - address: of 127.0.0.0/8, what sensors are given.
  package static func setUp(
    in directory: String, address: IPv4Address, upgradesQoS: Bool = true,
    now: @escaping WallClock
  ) throws(Fault) -> PrivateBroker {
    let broker = LocalBroker(
      directory: "\(directory)/broker", stateDirectory: "\(directory)/state",
      listenAddress: address)
    var configuration = MosquittoConfiguration(
      broker, plugin: try MosquittoConfiguration.installedPlugin(),
      // Started by root, Mosquitto would become a user who cannot read these files.
      user: getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) })
    configuration.upgradesQoS = upgradesQoS
    let setup = BrokerSetup(configuration, sensorAddress: address, now: now)
    try setup.carryOut(try setup.plan())
    return PrivateBroker(broker)
  }

  /// A loopback address that no other broker of this machine is likely to have.
  package static func randomAddress() -> IPv4Address {
    while true {
      let numbers = (0..<3).map { _ in Int.random(in: 2...254) }
      if let address = IPv4Address("127.\(numbers[0]).\(numbers[1]).\(numbers[2])") {
        return address
      }
    }
  }
}
