import Domain
import Glibc
import MQTT
import Simulator
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

@Suite("A commit")
struct CommitTests {
  /// A gateway on a clock of the test's, with one message taken and not acknowledged.
  private func withOneTaken(
    _ body: (TestBroker, Client, ManualClock) async throws -> Void
  ) async throws {
    try await TestBroker.with { broker in
      let clock = ManualClock()
      var settings = broker.settings(
        "gateway", subscriptions: [Subscription("devices/#")], isPersistent: true)
      settings.reconnection = everySecond
      let gateway = Client(settings, clock: clock, now: wallClock)
      try await gateway.connect()
      let writer = broker.client("writer")
      try await writer.connect()
      try await writer.publish([1], to: "devices/A/status", qos: 0, retained: false)
      #expect(await gateway.nextMessage()?.payload == [1])
      try await body(broker, gateway, clock)
      await gateway.stop()
      await writer.stop()
    }
  }

  @Test("slower than half of the keep-alive drops the connection, and its messages come again")
  func slow() async throws {
    try await withOneTaken { _, gateway, clock in
      #expect(await gateway.pause() == [])
      await clock.sleeper(dueIn: .seconds(30))
      clock.advance(by: .seconds(30))
      let lost = await gateway.next { if case .disconnected = $0 { true } else { false } }
      guard case .disconnected(let fault) = lost else {
        Issue.record("the connection was kept")
        return
      }
      #expect(fault.code == .storeBusy)
      // The next connection waits for the commit of the last one.
      await clock.sleeper(dueIn: .seconds(1))
      clock.advance(by: .seconds(1))
      await gateway.acknowledge()
      #expect(await gateway.nextMessage()?.payload == [1])
      _ = await gateway.pause()
      await gateway.acknowledge()
    }
  }

  @Test("in time lets the acknowledgements out, and with them what waited to be published")
  func inTime() async throws {
    try await withOneTaken { broker, gateway, _ in
      let publication = Task {
        try await gateway.publish([9], to: "soundgate/test", retained: false)
      }
      _ = await gateway.pause()
      await gateway.acknowledge()
      try await publication.value
    }
  }

  @Test("covers only what was handed over: a message read since holds every acknowledgement back")
  func partial() async throws {
    try await withOneTaken { broker, gateway, _ in
      let writer = broker.client("writer-2")
      try await writer.connect()
      try await writer.publish([2], to: "devices/A/status", qos: 0, retained: false)
      await writer.stop()
      // A reader that forgets to pause; whether the second has been read yet, it must come again.
      await gateway.acknowledge()
      await gateway.stop()
      let second = broker.client(
        "gateway", subscriptions: [Subscription("devices/#")], isPersistent: true)
      try await second.connect()
      #expect(await second.next(Delivery.message(of: [2])) != nil)
      await second.stop()
    }
  }
}

@Suite("A publication")
struct PublicationTests {
  @Test("while disconnected is refused at once, and never delivered later")
  func disconnected() async throws {
    let clock = ManualClock()
    try await TestBroker.with { broker in
      var settings = broker.settings("gateway")
      settings.reconnection = everySecond
      let gateway = Client(settings, clock: clock, now: wallClock)
      try await gateway.connect()
      try await broker.process.restart()
      await gateway.isDown(with: .brokerUnreachable)
      for number in 0..<50 {
        let outcome = await code {
          try await gateway.publish([UInt8(number)], to: "alerts", retained: false)
        }
        #expect(outcome == .publishFailed)
      }
      let watcher = broker.client("watcher", subscriptions: [Subscription("alerts")])
      try await watcher.connect()
      await clock.sleeper(dueIn: .seconds(1))
      clock.advance(by: .seconds(1))
      await gateway.isConnected()
      try await gateway.publish([200], to: "alerts", retained: false)
      #expect(await watcher.nextMessage()?.payload == [200])
      await gateway.stop()
      await watcher.stop()
    }
  }

  @Test("without the broker's acknowledgement fails at its deadline")
  func unacknowledged() async throws {
    try await TestBroker.with { broker in
      let clock = ManualClock()
      let gateway = Client(broker.settings("gateway"), clock: clock, now: wallClock)
      try await gateway.connect()
      await broker.process.signal(SIGSTOP)
      let publication = Task {
        try await gateway.publish([1], to: "alerts", retained: false)
      }
      await clock.sleeper(dueIn: .seconds(10))
      clock.advance(by: .seconds(10))
      #expect(await code { try await publication.value } == .publishFailed)
      await broker.process.signal(SIGCONT)
      await gateway.stop()
    }
  }

  @Test("whose caller is cancelled ends at once")
  func cancelled() async throws {
    try await TestBroker.with { broker in
      let gateway = broker.client("gateway")
      try await gateway.connect()
      await broker.process.signal(SIGSTOP)
      let publication = Task {
        try await gateway.publish([1], to: "alerts", retained: false)
      }
      publication.cancel()
      #expect(await code { try await publication.value } == .cancelled)
      await broker.process.signal(SIGCONT)
      await gateway.stop()
    }
  }
}
