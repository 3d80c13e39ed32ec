import Crypto
import Domain
import FoundationEssentials
import Host
import Storage

extension EnrolmentDesk {
  /// The explicit action that validates a step; in step 3 credentials are another try of it.
  package func validate(
    _ id: UUID, step: Int, with input: StepInput, by operator: String
  ) async throws(EnrolmentRefusal) -> EnrolmentView {
    guard let step = EnrolmentStep(rawValue: step) else { throw .noSuchStep(step) }
    // Out of turn is told before the input is looked at.
    let view = try await show(id)
    if view.hasEnded { throw .notAllowed(.ended) }
    guard step == view.step else {
      log.warning(
        "refused a step out of sequence",
        [
          "enrolment": id, "operator": `operator`, "requested": step.rawValue,
          "current": view.step.rawValue,
        ])
      throw .notAllowed(.outOfSequence(requested: step, current: view.step))
    }
    let command: Enrolment.Command
    var remembers = false
    switch (step, input) {
    case (.chooseSensor, .sensor(let sensor, let address)):
      command = .choose(try await peripheral(sensor, address, for: id))
    case (.giveWiFi, .wifi(let ssid, let key, let remember)),
      (.verifyWiFi, .wifi(let ssid, let key, let remember)):
      command = .sendWiFi(try await credentials(ssid, key))
      remembers = remember
    case (.verifyWiFi, .acceptance): command = .acceptWiFi
    case (.receiveReading, .acceptance): command = .acceptReading
    case (.nameSensor, .name(let name)):
      do throws(SensorName.Invalid) {
        command = .register(try SensorName(name))
      } catch {
        throw .name(error)
      }
    default: throw .wrongInput(step)
    }
    return try await carryOut(
      command, of: id, validating: step, by: `operator`, remembersNetwork: remembers)
  }

  /// The sensor meant, which must be heard just now.
  private func peripheral(
    _ sensor: SensorID?, _ address: BluetoothAddress?, for id: UUID
  ) async throws(EnrolmentRefusal) -> Peripheral {
    guard sensor != nil || address != nil else { throw .wrongInput(.chooseSensor) }
    if let sensor, let other = await holder(of: sensor, besides: id) { throw .taken(by: other) }
    let candidates = await scanner.snapshot.entries.map(\.peripheral).filter {
      ($0.sensor == sensor || sensor == nil) && ($0.address == address || address == nil)
    }
    guard candidates.count < 2 else { throw .ambiguous(candidates.map(\.address)) }
    if let only = candidates.first { return only }
    if let sensor, await isOnline(sensor) {
      let ways = await waysBack(to: sensor)
      await sessions[id]?.tellOnline(sensor, ways)
      throw .alreadyOnline(sensor, ways)
    }
    throw .fault(await scanner.snapshot.fault ?? Fault(.notSeen))
  }

  /// The unfinished enrolment that has the sensor: connected, it is heard by nobody.
  private func holder(of sensor: SensorID, besides id: UUID) async -> UUID? {
    for (other, session) in sessions where other != id {
      let view = await session.view
      if view.sensor == sensor, !view.hasEnded { return other }
    }
    return nil
  }

  private func credentials(
    _ ssid: String, _ key: Secret?
  ) async throws(EnrolmentRefusal) -> WiFiCredentials {
    let key = try await self.key(key, of: ssid)
    do throws(WiFiCredentials.Invalid) {
      return try WiFiCredentials(ssid: ssid, key: key)
    } catch {
      throw .wifi(error)
    }
  }

  private func key(_ given: Secret?, of ssid: String) async throws(EnrolmentRefusal) -> Secret {
    if let given { return given }
    guard let saved = try await read({ try NetworkStore($0).find(ssid) }) else { throw .noSavedKey }
    do throws(Fault) {
      return try context.seal.open(saved.sealedKey, for: SealPurpose.network(ssid))
    } catch {
      throw .fault(error)
    }
  }

  // MARK: PD-176's own two calls

  /// Whether the operator has completed an enrolment, and where their unfinished one stands.
  package func onboarding(
    of operator: String
  ) async throws(EnrolmentRefusal) -> OnboardingStatus {
    try await read { connection in
      let enrolments = EnrolmentStore(connection)
      if try enrolments.hasCompleted(`operator`) {
        return OnboardingStatus(currentStep: .nameSensor, completed: true, enrolment: nil)
      }
      let first = try enrolments.firstUnfinished(by: `operator`)
      return OnboardingStatus(
        currentStep: first.flatMap { EnrolmentStep(rawValue: $0.step) } ?? .chooseSensor,
        completed: false, enrolment: first?.id)
    }
  }

  /// PD-176's call: validates a step of the operator's own unfinished enrolment, begun if need be.
  package func validateOnboarding(
    step: Int, with input: StepInput, by operator: String
  ) async throws(EnrolmentRefusal) -> OnboardingStatus {
    let status = try await onboarding(of: `operator`)
    if status.completed { throw .notAllowed(.ended) }
    guard let requested = EnrolmentStep(rawValue: step) else { throw .noSuchStep(step) }
    if status.enrolment == nil, requested != .chooseSensor {
      throw .notAllowed(.outOfSequence(requested: requested, current: .chooseSensor))
    }
    let id =
      if let enrolment = status.enrolment { enrolment } else {
        try await begin(by: `operator`).id
      }
    _ = try await validate(id, step: step, with: input, by: `operator`)
    return try await onboarding(of: `operator`)
  }
}
