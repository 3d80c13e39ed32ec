import Domain

/// The MQTT part of a running sensor.
struct SensorSession: Sendable {
  var phase = Phase.idle
  /// Failures in a row; a success forgets them.
  var failures = 0
  /// Refusals (4, 5) without another kind of failure between; a success does not forget them.
  var refusals = 0
  var startedAt: Duration = .zero
  var hasTopics = true
  /// What an attempt ends with that nobody answers.
  var pendingAnswer = timedOut
  var isFirst = true

  static let timedOut = -4
  static let connectFailed = -2
  static let disconnected = -1

  enum Phase: Sendable {
    case idle
    case dialling
    case connected
  }
}

extension SimulatedSensor {
  var base: String { "devices/\(id)" }

  /// Opens the session, if there is a network, a complete setting and the memory for TLS.
  mutating func dial() {
    guard uptime.station.ip != nil, uptime.session.phase == .idle, flash.broker.isComplete else {
      return
    }
    guard uptime.radio.stack != .loaded || traits.hasMemoryForBoth else {
      set(.dial, after: SensorTiming.memoryRetry)
      return
    }
    uptime.session.phase = .dialling
    uptime.session.startedAt = now
    if !uptime.session.hasTopics {
      // Its empty will topic makes a broker close the connection.
      fail(SensorSession.disconnected, after: SensorTiming.loopPass)
    } else if !flash.broker.isReachableWithoutRootCertificate {
      fail(SensorSession.connectFailed, after: SensorTiming.loopPass)
    } else if network?.reachesBroker != true {
      fail(SensorSession.connectFailed, after: SensorTiming.socketTimeout)
    } else {
      effects.append(.dial(flash.broker))
      fail(SensorSession.timedOut, after: SensorTiming.dialTimeout)
    }
  }

  private mutating func fail(_ rc: Int, after span: Duration) {
    uptime.session.pendingAnswer = rc
    set(.answer, after: span)
  }

  /// Nobody answered the dial, or it was never made.
  mutating func dialEnded() {
    if uptime.session.pendingAnswer == SensorSession.timedOut {
      effects.append(.hangUp(clean: false))
    }
    brokerAnswered(uptime.session.pendingAnswer)
  }

  mutating func brokerAnswered(_ rc: Int) {
    guard uptime.session.phase == .dialling else { return }
    timers[.answer] = nil
    uptime.session.phase = rc == 0 ? .connected : .idle
    if rc == 0 { greet() } else { count(failure: rc) }
    scheduleLoop()
  }

  private mutating func greet() {
    uptime.session.failures = 0
    say("MQTT connecté: \(flash.broker.host):\(flash.broker.port)")
    publish("online", to: "\(base)/availability", retained: true)
    publish(
      SoundPayload.discovery(of: id, firmware: traits.firmware),
      to: "homeassistant/sensor/\(id)/sound/config", retained: true)
    closeWindowIfOnline()
    measure()
    publishSound(always: true)
    if uptime.session.isFirst { publishSound(always: true) }
    uptime.session.isFirst = false
    set(.sample, after: SensorTiming.sample)
  }

  private mutating func count(failure rc: Int) {
    say("MQTT échec rc=\(rc)")
    uptime.session.failures += 1
    uptime.session.refusals = rc == 4 || rc == 5 ? uptime.session.refusals + 1 : 0
    if uptime.session.refusals == SensorTiming.refusalsBeforeErasure {
      uptime.session.refusals = 0
      resetSettings()
    } else if uptime.session.failures > SensorTiming.retries.count {
      reboot()
    } else {
      let due = uptime.session.startedAt + SensorTiming.retries[uptime.session.failures - 1]
      // The loop comes round at least once between two attempts.
      timers[.dial] = max(now + SensorTiming.loopPass * 2, due)
    }
  }

  mutating func brokerLost() {
    guard uptime.session.phase == .connected else { return }
    uptime.session.phase = .idle
    timers[.sample] = nil
    guard !uptime.isHung else { return }
    set(.dial, after: SensorTiming.retries[0])
  }

  mutating func endSession(clean: Bool) {
    timers[.answer] = nil
    timers[.sample] = nil
    guard uptime.session.phase != .idle else { return }
    uptime.session.phase = .idle
    effects.append(.hangUp(clean: clean))
  }

  mutating func take(_ payload: [UInt8], on topic: String) {
    guard uptime.session.phase == .connected else { return }
    switch topic {
    case "\(base)/cmd/reboot" where payload.asReceived.asText.lowercased() == "now":
      publish("offline", to: "\(base)/availability", retained: true)
      set(.restart, after: SensorTiming.rebootCommand)
    case "\(base)/cmd/reset_mqtt":
      publish("ok", to: "\(base)/cmd/reset_mqtt/ack", retained: false)
      set(.reset, after: SensorTiming.resetCommand)
    default: break
    }
  }

  /// Erases the MQTT settings, keeps Wi-Fi, and asks for the radio.
  mutating func resetSettings() {
    endSession(clean: true)
    timers[.dial] = nil
    flash.broker = SensorFlash.Broker()
    startRadio()
  }

  mutating func publish(_ text: String, to topic: String, retained: Bool) {
    effects.append(.publish(topic: topic, payload: Array(text.utf8), retained: retained))
  }
}
