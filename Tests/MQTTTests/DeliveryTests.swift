import Domain
import MQTT
import TestSupport
import Testing

@Suite("Deliveries")
struct DeliveryTests {
  @Test("M06: a payload over the limit is told by topic and size, and the connection stays up")
  func oversized() async throws {
    try await TestBroker.with { broker in
      let gateway = broker.client("gateway", subscriptions: [Subscription("devices/#")])
      try await gateway.connect()
      let writer = broker.client("writer")
      try await writer.connect()
      let size = 5_000_000
      try await writer.publish(
        [UInt8](repeating: 0x41, count: size), to: "devices/A/status", qos: 0, retained: false)
      try await writer.publish([1], to: "devices/A/status", qos: 0, retained: false)
      let delivery = await gateway.next { if case .oversized = $0 { true } else { false } }
      #expect(delivery == .oversized(topic: "devices/A/status", bytes: size))
      _ = await gateway.pause()
      await gateway.acknowledge()
      try await writer.publish([2], to: "devices/A/status", qos: 0, retained: false)
      #expect(await gateway.next(Delivery.message(of: [2])) != nil)
      await gateway.stop()
      await writer.stop()
    }
  }

  @Test("M06: the socket is left alone while the reader is away, and nothing is lost")
  func backPressure() async throws {
    try await TestBroker.with("max_inflight_messages 0\nmax_queued_messages 0") { broker in
      let gateway = broker.client("gateway", subscriptions: [Subscription("devices/#")])
      try await gateway.connect()
      let writer = broker.client("writer")
      try await writer.connect()
      let count = 3000
      for number in 0..<count {
        try await writer.publish(
          Array("\(number)".utf8), to: "devices/A/status", qos: 0, retained: false)
      }
      // What is handed over at once is bounded; the rest waits in the socket and in the broker.
      var messages: [BrokerMessage] = []
      while messages.count < count {
        let batch = await gateway.take() + gateway.pause()
        #expect(batch.count <= 2200)
        for case .message(let message) in batch { messages.append(message) }
        await gateway.acknowledge()
      }
      #expect(
        messages.map { String(decoding: $0.payload, as: UTF8.self) } == (0..<count).map(String.init)
      )
      await gateway.stop()
      await writer.stop()
    }
  }

  @Test("M09: two equal payloads are two deliveries; telling repeats apart is the reader's")
  func twice() async throws {
    try await TestBroker.with { broker in
      let gateway = broker.client("gateway", subscriptions: [Subscription("devices/#")])
      try await gateway.connect()
      let writer = broker.client("writer")
      try await writer.connect()
      try await writer.publish([5], to: "devices/A/status", retained: false)
      try await writer.publish([5], to: "devices/A/status", retained: false)
      var heard = 0
      while heard < 2 { heard += await gateway.take().count(where: Delivery.message(of: [5])) }
      #expect(heard == 2)
      await gateway.stop()
      await writer.stop()
    }
  }

  @Test("M01: a retained copy bears its flag, a fresh message on the same topic does not")
  func retained() async throws {
    try await TestBroker.with { broker in
      let writer = broker.client("writer")
      try await writer.connect()
      try await writer.publish([1], to: "devices/A/status", retained: true)
      let gateway = broker.client("gateway", subscriptions: [Subscription("devices/#")])
      try await gateway.connect()
      #expect(await gateway.nextMessage()?.isRetained == true)
      try await writer.publish([2], to: "devices/A/status", retained: true)
      #expect(await gateway.nextMessage()?.isRetained == false)
      await gateway.stop()
      await writer.stop()
    }
  }

  @Test("on a broker that does not upgrade come at QoS 0")
  func noUpgrade() async throws {
    try await TestBroker.with("upgrade_outgoing_qos false") { broker in
      let gateway = broker.client("gateway", subscriptions: [Subscription("devices/#")])
      try await gateway.connect()
      let writer = broker.client("writer")
      try await writer.connect()
      try await writer.publish([1], to: "devices/A/status", qos: 0, retained: false)
      #expect(await gateway.nextMessage()?.qos == 0)
      // Nothing waits for an acknowledgement, so nothing holds a publication back.
      try await gateway.publish([1], to: "elsewhere", retained: false)
      await gateway.stop()
      await writer.stop()
    }
  }

  @Test("a reader that is cancelled gets nothing")
  func cancelled() async throws {
    try await TestBroker.with { broker in
      let gateway = broker.client("gateway")
      try await gateway.connect()
      _ = await gateway.take()
      let reader = Task { await gateway.take() }
      reader.cancel()
      #expect(await reader.value.isEmpty)
      await gateway.stop()
    }
  }

  @Test("M07: birth, farewell and last will are retained on the gateway's own topic")
  func presence() async throws {
    try await TestBroker.with { broker in
      let watcher = broker.client("watcher", subscriptions: [Subscription("soundgate/#")])
      try await watcher.connect()
      var settings = broker.settings("gateway")
      settings.presence = .gateway("g1")
      for end in ["a farewell", "a cut"] {
        let gateway = Client(settings, now: wallClock)
        try await gateway.connect()
        #expect(await watcher.nextMessage()?.payload == Array("online".utf8))
        if end == "a cut" {
          let rival = Client(broker.settings("gateway"), now: wallClock)
          try await rival.connect()
          await rival.stop()
        }
        await gateway.stop()
        let last = await watcher.nextMessage()
        #expect(last?.topic == "soundgate/g1/availability")
        #expect(last?.payload == Array("offline".utf8), "after \(end)")
        let late = broker.client("late", subscriptions: [Subscription("soundgate/#")])
        try await late.connect()
        let kept = await late.nextMessage()
        #expect(kept?.payload == Array("offline".utf8) && kept?.isRetained == true)
        await late.stop()
      }
      await watcher.stop()
    }
  }
}

extension Delivery {
  /// A fresh message on the topic of a sensor `A`, for comparing.
  static func message(of payload: [UInt8]) -> (Delivery) -> Bool {
    { if case .message(let message) = $0 { message.payload == payload } else { false } }
  }
}
