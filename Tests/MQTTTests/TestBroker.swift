import Domain
import Foundation
import Glibc
import MQTT
import Simulator

/// A Mosquitto for one test, on a loopback address nobody else has.
struct TestBroker {
  let process: PrivateBroker
  let address: String
  let port: Int

  /// - Parameters:
  ///   - extra: lines added to the configuration.
  static func with<Result>(
    _ extra: String = "", _ body: (TestBroker) async throws -> Result
  ) async throws -> Result {
    let directory = try TemporaryDirectory()
    defer { directory.remove() }
    let address = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...255)).\(getpid() % 254 + 1)"
    let text = """
      listener 1883 \(address)
      allow_anonymous true
      user \(String(cString: getpwuid(geteuid()).pointee.pw_name))
      persistence false
      upgrade_outgoing_qos true
      log_dest stderr
      log_type all
      \(extra)

      """
    try Data(text.utf8).write(to: URL(filePath: directory.path + "/mosquitto.conf"))
    let process = PrivateBroker(directory: directory.path)
    try await process.start()
    let broker = TestBroker(process: process, address: address, port: 1883)
    do {
      let result = try await body(broker)
      await process.stop()
      return result
    } catch {
      await process.stop()
      throw error
    }
  }

  func settings(
    _ clientID: String, subscriptions: [Subscription] = [], isPersistent: Bool = false
  ) -> ClientSettings {
    ClientSettings(
      host: address, port: port, clientID: clientID, isPersistent: isPersistent,
      subscriptions: subscriptions)
  }

  func client(
    _ clientID: String, subscriptions: [Subscription] = [], isPersistent: Bool = false
  ) -> Client {
    Client(
      settings(clientID, subscriptions: subscriptions, isPersistent: isPersistent), now: wallClock)
  }
}

/// The wall clock of tests that do not care what time it is.
let wallClock: WallClock = { Timestamp(seconds: 1_700_000_000) }

struct TemporaryDirectory {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "soundgate-mqtt-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}

extension Client {
  /// The next message delivered, passing over everything else; nil when the task is cancelled.
  func nextMessage() async -> BrokerMessage? {
    while true {
      let deliveries = await take()
      if deliveries.isEmpty { return nil }
      for case .message(let message) in deliveries { return message }
    }
  }
}
