extension Enrolment {
  /// What the world does.
  package enum Event: Hashable, Sendable {
    /// The radio cannot look for sensors, or the one wanted cannot be heard.
    case scanFailed(Fault)
    /// The link is open, its services are complete, and the chip id is the one chosen.
    ///
    /// - Parameter snapshot: the Wi-Fi status as first read.
    case linkOpened(snapshot: WiFiStatus)
    case linkFailed(Fault)
    case linkLost(Fault)
    /// The key was acknowledged.
    case wifiWritten
    case wifiWriteFailed(Fault)
    case statusHeard(WiFiStatus)
    /// An account has been put on record and is about to be made.
    case accountReserved(String)
    case accountOpened
    case accountFailed(Fault)
    /// The fourth value was acknowledged.
    case mqttDelivered(at: Timestamp)
    /// - Parameter acknowledged: how many values the sensor has, 0–3.
    case mqttWriteFailed(acknowledged: Int, Fault)
    /// A fresh reading under the new account has been stored.
    case readingStored
    /// - Parameter blame: for the first reading, what the broker saw of the sensor; for a scan, nil
    ///   when a sensor was heard, so that it goes on.
    case deadlinePassed(Deadline, blame: Fault?)
  }

  /// Takes in an event; one that is out of turn changes nothing and asks for nothing.
  package mutating func observe(_ event: Event) -> [Effect] {
    switch (event, state) {
    case (.scanFailed(let fault), .scanning(let complaint)) where fault != complaint:
      return go(to: .scanning(complaint: fault))
    case (.linkOpened(let snapshot), .connecting): return linkOpened(snapshot)
    case (.linkFailed(let fault), .connecting(let isResuming)):
      return isResuming ? park(fault) : fail(fault)
    case (.linkLost(let fault), .awaitingWiFi), (.linkLost(let fault), .writingWiFi),
      (.linkLost(let fault), .joiningWiFi), (.linkLost(let fault), .joined),
      (.linkLost(let fault), .openingAccount), (.linkLost(let fault), .awaitingAccount):
      return fail(fault)
    case (.wifiWritten, .writingWiFi(let heard)): return wifiWritten(heard ?? [])
    case (.wifiWriteFailed(let fault), .writingWiFi): return fail(fault)
    case (.statusHeard(let status), _): return hear(status)
    case (.accountReserved(let account), .openingAccount):
      progress.account = account
      return []
    case (.accountOpened, .openingAccount):
      progress.mayHoldAccount = true
      return go(to: .writingMQTT, [.writeMQTT])
    case (.accountFailed(let fault), .openingAccount):
      return go(to: .awaitingAccount(complaint: fault))
    case (.mqttDelivered(let time), .writingMQTT):
      progress.deliveredAt = time
      return go(
        to: .awaitingReading(complaint: nil), [.disconnect(after: deadlines.farewell)])
    case (.mqttWriteFailed(let acknowledged, let fault), .writingMQTT):
      return fail(
        acknowledged == 0
          ? fault : Fault(.partialMQTTWrite, "\(acknowledged) of 4 values written: \(fault)"))
    case (.readingStored, _): return readingStored()
    case (.deadlinePassed(let deadline, let blame), _): return pass(deadline, blame)
    default: return []
    }
  }

  /// Leaves it for the person to take up again.
  private mutating func park(_ fault: Fault) -> [Effect] {
    if progress.step == .receiveReading, progress.deliveredAt != nil {
      return go(to: .awaitingReading(complaint: fault), [.disconnect(after: .zero)])
    }
    return go(to: .parked(complaint: fault), [.disconnect(after: .zero)])
  }

  private mutating func linkOpened(_ snapshot: WiFiStatus) -> [Effect] {
    switch step {
    case .receiveReading: return go(to: .openingAccount, [.openAccount])
    case .verifyWiFi:
      // Its credentials were written in this enrolment, so an address it has is their success.
      if case .snapshot(let address?) = snapshot { return join(address) }
      if case .joined(let address) = snapshot { return join(address) }
      return go(to: .awaitingWiFi(complaint: nil, verdict: nil))
    case .chooseSensor, .giveWiFi, .nameSensor:
      return go(to: .awaitingWiFi(complaint: nil, verdict: nil))
    }
  }

  private mutating func wifiWritten(_ heard: [WiFiStatus]) -> [Effect] {
    var effects = go(to: .joiningWiFi(WiFiVerdict(limits: deadlines.wifi)))
    for status in heard { effects += hear(status) }
    return effects
  }

  private mutating func hear(_ status: WiFiStatus) -> [Effect] {
    switch state {
    case .writingWiFi(let heard):
      // The sensor says that it has the key before we learn that it was acknowledged.
      if status == .keyReceived { state = .writingWiFi(heard: []) }
      if let heard { state = .writingWiFi(heard: heard + [status]) }
      return []
    case .joiningWiFi(var verdict):
      let stage = verdict.stage
      let outcome = verdict.hear(status)
      if let outcome { return conclude(outcome, verdict) }
      state = .joiningWiFi(verdict)
      return verdict.stage == stage ? [] : go(to: .joiningWiFi(verdict))
    case .awaitingWiFi(let complaint, var verdict?):
      if case .joined(let address) = verdict.hear(status) {
        return join(address, [.saveNetwork])
      }
      state = .awaitingWiFi(complaint: complaint, verdict: verdict)
      return []
    default: return []
    }
  }

  private mutating func conclude(
    _ outcome: WiFiVerdict.Outcome, _ verdict: WiFiVerdict
  ) -> [Effect] {
    switch outcome {
    case .joined(let address): join(address, [.saveNetwork])
    case .failed(let code): go(to: .awaitingWiFi(complaint: Fault(code), verdict: verdict))
    }
  }

  private mutating func join(_ address: IPv4Address, _ effects: [Effect] = []) -> [Effect] {
    progress.ip = address
    return go(to: .joined(address), effects)
  }

  private mutating func readingStored() -> [Effect] {
    guard progress.deliveredAt != nil, step == .receiveReading else { return [] }
    switch state {
    case .awaitingReading: return go(to: .heard, [.keepAccount])
    case .connecting: return go(to: .heard, [.disconnect(after: .zero), .keepAccount])
    default: return []
    }
  }

  private mutating func pass(_ deadline: Deadline, _ blame: Fault?) -> [Effect] {
    switch (deadline, state) {
    case (.scan, .scanning(complaint: nil)):
      return go(to: .scanning(complaint: blame), blame == nil ? [.scan] : [])
    case (.connect, .connecting(let isResuming)):
      return isResuming ? park(Fault(.connectTimeout)) : fail(Fault(.connectTimeout))
    case (.wifi, .joiningWiFi(var verdict)):
      let outcome = verdict.timeOut()
      return outcome.map { conclude($0, verdict) } ?? go(to: .joiningWiFi(verdict))
    case (.firstReading, .awaitingReading(complaint: nil)):
      return go(to: .awaitingReading(complaint: blame ?? Fault(.noFirstReading)))
    case (.attention, .awaitingWiFi), (.attention, .joined), (.attention, .awaitingAccount):
      return park(Fault(.leftAlone))
    case (.parked, _): return fail(Fault(.abandoned))
    default: return []
    }
  }
}
