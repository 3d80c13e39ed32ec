import Domain
import FoundationEssentials

/// Where enrolments are begun, followed, validated step by step, resumed and cancelled.
package actor EnrolmentDesk {
  /// Begins one, which looks for sensors at once.
  package func begin(by operator: String) async throws(EnrolmentRefusal) -> EnrolmentView {
    throw .fault(Fault(.shuttingDown))
  }

  /// All of them, the newest first.
  package func list() async throws(Fault) -> [EnrolmentView] { throw Fault(.shuttingDown) }

  package func show(_ id: UUID) async throws(EnrolmentRefusal) -> EnrolmentView { throw .notFound }

  /// Every transition so far, the oldest first.
  package func timeline(of id: UUID) async throws(EnrolmentRefusal) -> [EnrolmentAudit] {
    throw .notFound
  }

  /// The explicit action that validates a step; in step 3 credentials are another try of it.
  package func validate(
    _ id: UUID, step: Int, with input: StepInput, by operator: String
  ) async throws(EnrolmentRefusal) -> EnrolmentView { throw .notFound }

  /// Takes up again what cannot go on by itself: scans, connects, opens the account or writes the
  /// four values once more.
  package func resume(
    _ id: UUID, by operator: String
  ) async throws(EnrolmentRefusal) -> EnrolmentView { throw .notFound }

  package func cancel(
    _ id: UUID, by operator: String
  ) async throws(EnrolmentRefusal) -> EnrolmentView { throw .notFound }

  /// The enrolment as it stands and at every change; the stream ends with the enrolment.
  package func updates(
    of id: UUID
  ) async throws(EnrolmentRefusal) -> AsyncStream<EnrolmentView> { throw .notFound }

  /// Scans for as long as the stream is read and the scan's 30 s last; the list at every change.
  package func scan() async -> AsyncStream<NearbyList> { AsyncStream { $0.finish() } }

  /// Whether the operator has completed an enrolment, and where their unfinished one stands.
  package func onboarding(
    of operator: String
  ) async throws(EnrolmentRefusal) -> OnboardingStatus { throw .notFound }

  /// PD-176's call: validates a step of the operator's own unfinished enrolment, begun if need be.
  package func validateOnboarding(
    step: Int, with input: StepInput, by operator: String
  ) async throws(EnrolmentRefusal) -> OnboardingStatus { throw .notFound }

  /// The networks that are offered at the next enrolment, the last used first.
  package func networks() async throws(Fault) -> [OfferedNetwork] { throw Fault(.shuttingDown) }

  /// - Returns: false when there is none of that name.
  package func forget(network ssid: String) async throws(Fault) -> Bool {
    throw Fault(.shuttingDown)
  }

  package func waysBack(to sensor: SensorID) async -> [WayBack] { [.powerUpHold] }

  /// Tells an online sensor to forget its broker and open its Bluetooth window.
  package func resetOverMQTT(_ sensor: SensorID, by operator: String) async throws(Fault) {
    throw Fault(.shuttingDown)
  }
}
