import Domain
import MQTT

/// One MQTT session of a simulated sensor, as its firmware opens it: TLS that takes any certificate,
/// a clean session, a retained last will, QoS 0 throughout.
final class Uplink: Sendable {
  enum Event: Sendable {
    /// 0, or the failure in the firmware's count.
    case answered(Int)
    case message(topic: String, payload: [UInt8])
    case lost
  }

  private struct Publication: Sendable {
    let topic: String
    let payload: [UInt8]
    let isRetained: Bool
  }

  private let client: Client
  private let publications: AsyncStream<Publication>.Continuation
  private let publishing: Task<Void, Never>
  private let listening: Task<Void, Never>

  /// Dials at once; `tell` hears the outcome and then everything that follows, in order.
  ///
  /// - Parameters:
  ///   - address: to speak from.
  ///   - isTrusting: whether any certificate will do.
  init(
    of id: SensorID, to broker: SensorFlash.Broker, from address: String?, isTrusting: Bool,
    wallClock: @escaping WallClock, tell: @escaping @Sendable (Event) async -> Void
  ) {
    let base = "devices/\(id)"
    var settings = ClientSettings(
      host: broker.host, port: broker.port, clientID: "ESP32C3-\(id)", user: broker.user,
      password: Secret(broker.password), tls: isTrusting ? .anyCertificate : .systemAuthorities,
      subscriptions: [Subscription("\(base)/cmd/#", qos: 0)],
      presence: Presence(topic: "\(base)/availability", qos: 0, isSpoken: false))
    // Only a simulated network on the loopback can give its sensors addresses to speak from.
    settings.bindAddress = address?.hasPrefix("127.") == true ? address : nil
    settings.deadlines.keepAlive = .seconds(30)
    let client = Client(settings, now: wallClock)
    self.client = client
    let (stream, publications) = AsyncStream.makeStream(of: Publication.self)
    self.publications = publications
    listening = Task {
      do throws(Fault) {
        try await client.connect()
      } catch {
        return await tell(.answered(Self.rc(of: error)))
      }
      await tell(.answered(0))
      while !Task.isCancelled {
        for delivery in await client.take() {
          switch delivery {
          case .message(let message):
            await tell(.message(topic: message.topic, payload: message.payload))
          case .disconnected: return await tell(.lost)
          case .connected, .oversized: break
          }
        }
      }
    }
    publishing = Task {
      for await publication in stream {
        try? await client.publish(
          publication.payload, to: publication.topic, qos: 0, retained: publication.isRetained)
      }
    }
  }

  func publish(_ payload: [UInt8], to topic: String, retained: Bool) {
    publications.yield(Publication(topic: topic, payload: payload, isRetained: retained))
  }

  /// - Parameter isClean: with a farewell, after everything published; else as if the power had
  ///   gone, so that the broker says the last will.
  func close(cleanly isClean: Bool) async {
    listening.cancel()
    publications.finish()
    if isClean {
      await publishing.value
      await client.stop()
    } else {
      publishing.cancel()
      await client.abandon()
    }
  }

  private static func rc(of fault: Fault) -> Int {
    switch fault.code {
    case .brokerRefused: 5
    case .clientClash: 2
    default: -2
    }
  }
}
