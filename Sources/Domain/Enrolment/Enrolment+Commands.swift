extension Enrolment {
  /// What a person decides.
  package enum Command: Hashable, Sendable {
    /// Validates step 1.
    case choose(Peripheral)
    /// Validates step 2; in step 3 it is another try of that step.
    case sendWiFi(WiFiCredentials)
    /// Validates step 3.
    case acceptWiFi
    /// Validates step 4.
    case acceptReading
    /// Validates step 5 and completes the enrolment.
    case register(SensorName)
    /// Takes up again what cannot go on by itself.
    case resume
    case cancel
  }

  /// Carries out a command, or refuses it and changes nothing.
  ///
  /// - Parameter step: the step the person means to validate; nil for `resume` and `cancel`.
  package mutating func take(
    _ command: Command, validating step: EnrolmentStep? = nil
  ) throws(NotAllowed) -> [Effect] {
    guard !progress.hasEnded else { throw .ended }
    if let step, step != self.step {
      throw .outOfSequence(requested: step, current: self.step)
    }
    switch (command, state) {
    case (.choose(let peripheral), .scanning):
      progress.peripheral = peripheral
      progress.step = .giveWiFi
      return go(to: .connecting(isResuming: false), [.connect(peripheral)])
    case (.sendWiFi(let credentials), .awaitingWiFi),
      (.sendWiFi(let credentials), .joiningWiFi),
      (.sendWiFi(let credentials), .joined):
      progress.step = .verifyWiFi
      progress.wroteWiFi = true
      return go(to: .writingWiFi(heard: nil), [.writeWiFi(credentials)])
    case (.acceptWiFi, .joined):
      progress.step = .receiveReading
      return go(to: .openingAccount, [.openAccount])
    case (.acceptReading, .heard):
      progress.step = .nameSensor
      return go(to: .awaitingName)
    case (.register(let name), .awaitingName):
      progress.isCompleted = true
      return go(to: .completed, [.register(name)])
    case (.resume, _): return try resume()
    case (.cancel, .writingMQTT): throw .inProgress
    case (.cancel, _): return fail(Fault(.cancelled))
    case (_, .connecting), (_, .writingWiFi), (_, .openingAccount), (_, .writingMQTT):
      throw .inProgress
    default: throw .notYet(self.step)
    }
  }

  private mutating func resume() throws(NotAllowed) -> [Effect] {
    switch state {
    case .scanning(complaint: .some): return go(to: .scanning(complaint: nil), [.scan])
    case .awaitingAccount: return go(to: .openingAccount, [.openAccount])
    case .parked, .awaitingReading(complaint: .some):
      guard let peripheral = progress.peripheral else { throw .nothingToResume }
      return go(to: .connecting(isResuming: true), [.connect(peripheral)])
    default: throw .nothingToResume
    }
  }
}
