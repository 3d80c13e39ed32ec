import Domain
import Glibc
import Host
import MQTT
import Simulator
import TestSupport
import Testing

@Suite("A connection that is lost")
struct ReconnectionTests {
  @Test("M02: subscribes on every connect, whatever the broker remembers")
  func brokerForgets() async throws {
    try await TestBroker.with { broker in
      let clock = ManualClock()
      var settings = broker.settings(
        "gateway", subscriptions: [Subscription("devices/#")], isPersistent: true)
      settings.reconnection = everySecond
      let gateway = Client(settings, clock: clock, now: wallClock)
      try await gateway.connect()
      // Without persistence a restarted broker knows no session.
      try await broker.process.restart()
      await gateway.isDown(with: .brokerUnreachable)
      await clock.sleeper(dueIn: .seconds(1))
      clock.advance(by: .seconds(1))
      await gateway.isConnected()

      let writer = broker.client("writer")
      try await writer.connect()
      try await writer.publish([7], to: "devices/A/status", qos: 0, retained: false)
      #expect(await gateway.nextMessage()?.payload == [7])
      await gateway.stop()
      await writer.stop()
    }
  }

  @Test("M03: waits longer while another client takes its id, and names the likely cause")
  func clash() async throws {
    try await TestBroker.with { broker in
      let clock = ManualClock()
      var settings = broker.settings("gateway")
      settings.reconnection = Backoff(first: .seconds(1), factor: 2, cap: .seconds(60), jitter: 0)
      let gateway = Client(settings, clock: clock, now: wallClock)
      try await gateway.connect()
      for delay in [1, 2, 4, 8] {
        let rival = broker.client("gateway")
        try await rival.connect()
        await gateway.stands { if case .down = $0 { true } else { false } }
        await clock.sleeper(dueIn: .seconds(delay))
        await rival.stop()
        clock.advance(by: .seconds(delay))
        await gateway.isConnected()
      }
      let rival = broker.client("gateway")
      try await rival.connect()
      await gateway.isDown(with: .clientClash)
      // Five of ours, five of the rival's.
      #expect(await broker.connections(of: "gateway") == 10)
      await rival.stop()
      await gateway.stop()
    }
  }

  @Test("M03: counts from the beginning again after a minute of calm")
  func calm() async throws {
    try await TestBroker.with { broker in
      let clock = ManualClock()
      var settings = broker.settings("gateway")
      settings.reconnection = Backoff(first: .seconds(1), factor: 2, cap: .seconds(60), jitter: 0)
      let gateway = Client(settings, clock: clock, now: wallClock)
      try await gateway.connect()
      for _ in 0..<3 {
        await clock.sleeper(dueIn: .seconds(60))
        var conditions = await gateway.conditions().makeAsyncIterator()
        _ = await conditions.next()
        clock.advance(by: .seconds(60))
        // Told again: it has lasted.
        _ = await conditions.next()
        let rival = broker.client("gateway")
        try await rival.connect()
        await clock.sleeper(dueIn: .seconds(1))
        await rival.stop()
        clock.advance(by: .seconds(1))
        await gateway.isConnected()
      }
      await gateway.stop()
    }
  }

  @Test("M04: a broker that is not there at first is tried until it is")
  func absentAtFirst() async throws {
    let address = PrivateBroker.randomAddress()
    let clock = ManualClock()
    let settings = ClientSettings(
      host: address.text, port: 1883, clientID: "gateway", reconnection: everySecond)
    let gateway = Client(settings, clock: clock, now: wallClock)
    await #expect(throws: Fault(.brokerUnreachable, "Connection refused")) {
      try await gateway.connect()
    }
    for _ in 0..<5 {
      await clock.sleeper(dueIn: .seconds(1))
      clock.advance(by: .seconds(1))
    }
    await clock.sleeper(dueIn: .seconds(1))
    try await TestBroker.with(at: address) { broker in
      clock.advance(by: .seconds(1))
      await gateway.isConnected()
      await gateway.stop()
    }
  }

  @Test("M04: a name that does not resolve is a fault like any other")
  func noName() async throws {
    let gateway = Client(
      ClientSettings(host: "no.such.name.invalid", port: 1883, clientID: "gateway"),
      now: wallClock)
    #expect(await code { try await gateway.connect() } == .brokerUnreachable)
    await gateway.stop()
  }

  @Test("a broker that accepts and says nothing is given up after ten seconds")
  func silence() async throws {
    try await TestBroker.with { broker in
      let clock = ManualClock()
      await broker.process.signal(SIGSTOP)
      let gateway = Client(broker.settings("gateway"), clock: clock, now: wallClock)
      let opening = Task { try await gateway.connect() }
      await clock.sleeper(dueIn: .seconds(10))
      clock.advance(by: .seconds(10))
      await #expect(throws: Fault(.brokerUnreachable, "no answer within 10.0 seconds")) {
        try await opening.value
      }
      await broker.process.signal(SIGCONT)
      await gateway.stop()
    }
  }

  @Test("M03: logs a cause once, however often it comes")
  func logsOnce() async throws {
    let recorder = LogRecorder()
    await LogSink.$current.withValue(recorder.sink()) {
      let clock = ManualClock()
      var settings = ClientSettings(
        host: PrivateBroker.randomAddress().text, port: 1883, clientID: "gateway",
        reconnection: everySecond)
      settings.isLogged = true
      let gateway = Client(settings, clock: clock, now: wallClock)
      try? await gateway.connect()
      for _ in 0..<5 {
        await clock.sleeper(dueIn: .seconds(1))
        clock.advance(by: .seconds(1))
      }
      await clock.sleeper(dueIn: .seconds(1))
      await gateway.stop()
    }
    #expect(recorder.all.map(\.sentence) == ["no connection to the broker"])
  }
}
