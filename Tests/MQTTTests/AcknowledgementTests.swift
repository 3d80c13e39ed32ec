import Domain
import MQTT
import TestSupport
import Testing

@Suite("Acknowledgements")
struct AcknowledgementTests {
  @Test("publishes and hears")
  func hears() async throws {
    try await TestBroker.with { broker in
      let reader = broker.client("reader", subscriptions: [Subscription("devices/#")])
      try await reader.connect()
      let writer = broker.client("writer")
      try await writer.connect()
      try await writer.publish(Array("21".utf8), to: "devices/A/status", retained: false)
      let message = await reader.nextMessage()
      #expect(message?.payload == Array("21".utf8))
      #expect(message?.qos == 1)
      await reader.stop()
      await writer.stop()
    }
  }

  @Test("leave only after the commit: a client that dies before has the message delivered again")
  func crashBeforeCommit() async throws {
    try await TestBroker.with { broker in
      let subscriptions = [Subscription("devices/#")]
      let first = broker.client("gateway", subscriptions: subscriptions, isPersistent: true)
      try await first.connect()
      let writer = broker.client("writer")
      try await writer.connect()
      try await writer.publish([1], to: "devices/A/status", qos: 0, retained: false)
      #expect(await first.nextMessage()?.payload == [1])
      // A write at this moment would flush the acknowledgement.
      async let unsent: Void? = try? first.publish([9], to: "elsewhere", retained: false)
      await first.stop()
      _ = await unsent

      let second = broker.client("gateway", subscriptions: subscriptions, isPersistent: true)
      try await second.connect()
      #expect(await second.nextMessage()?.payload == [1])
      _ = await second.pause()
      await second.acknowledge()
      await second.stop()

      let third = broker.client("gateway", subscriptions: subscriptions, isPersistent: true)
      try await third.connect()
      try await writer.publish([2], to: "devices/A/status", qos: 0, retained: false)
      #expect(await third.nextMessage()?.payload == [2])
      await third.stop()
      await writer.stop()
    }
  }
}
