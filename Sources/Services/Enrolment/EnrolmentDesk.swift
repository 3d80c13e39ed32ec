import Domain
import FoundationEssentials
import Host
import Storage

/// Where enrolments are begun, followed, validated step by step, resumed and cancelled.
///
/// Several may go on at once, one per sensor. What is under way has a session; what has ended is
/// read from the database.
package actor EnrolmentDesk {
  let context: EnrolmentContext
  let scanner: SensorScanner
  let slots: LinkSlots
  let log = Log("enrolment")
  var sessions: [UUID: EnrolmentSession] = [:]

  /// How many enrolments may be unfinished at once.
  static let limit = 32
  /// What the daemon signs its own commands with.
  static let gateway = "gateway"

  package init(_ context: EnrolmentContext) {
    self.context = context
    scanner = SensorScanner(context)
    slots = LinkSlots(context.links)
  }

  // MARK: Beginning and looking

  /// Begins one, which looks for sensors at once.
  package func begin(by operator: String) async throws(EnrolmentRefusal) -> EnrolmentView {
    let machine = Enrolment(deadlines: context.deadlines)
    let now = context.now()
    var record = EnrolmentRecord(
      id: UUID(), operatorName: `operator`, createdAt: now, updatedAt: now)
    let hasBegun: Bool
    do throws(Fault) {
      record.progress = try machine.progress.json
      hasBegun = try await EnrolmentLedger(database: context.database).begin(
        record, limit: Self.limit)
    } catch {
      throw .fault(error)
    }
    guard hasBegun else { throw .tooMany }
    return await open(machine, record).view
  }

  /// All of them, the newest first.
  package func list() async throws(Fault) -> [EnrolmentView] {
    let records = try await context.database.read { try EnrolmentStore($0).all() }
    var views: [EnrolmentView] = []
    for record in records {
      if let session = sessions[record.id] {
        views.append(await session.view)
      } else {
        views.append(ended(record))
      }
    }
    return views
  }

  package func show(_ id: UUID) async throws(EnrolmentRefusal) -> EnrolmentView {
    if let session = sessions[id] { return await session.view }
    return ended(try await record(id))
  }

  /// Every transition so far, the oldest first.
  package func timeline(of id: UUID) async throws(EnrolmentRefusal) -> [AuditEntry] {
    _ = try await record(id)
    return try await read { try AuditStore($0).of(id) }
  }

  /// The enrolment as it stands and at every change; the stream ends with the enrolment.
  package func updates(
    of id: UUID
  ) async throws(EnrolmentRefusal) -> AsyncStream<EnrolmentView> {
    if let session = sessions[id] { return await session.follow() }
    let view = ended(try await record(id))
    return AsyncStream { continuation in
      continuation.yield(view)
      continuation.finish()
    }
  }

  // MARK: Commands

  /// Takes up again what cannot go on by itself: scans, connects, opens the account or writes the
  /// four values once more.
  package func resume(
    _ id: UUID, by operator: String
  ) async throws(EnrolmentRefusal) -> EnrolmentView {
    try await carryOut(.resume, of: id, by: `operator`)
  }

  package func cancel(
    _ id: UUID, by operator: String
  ) async throws(EnrolmentRefusal) -> EnrolmentView {
    try await carryOut(.cancel, of: id, by: `operator`)
  }

  func carryOut(
    _ command: Enrolment.Command, of id: UUID, validating step: EnrolmentStep? = nil,
    by operatorName: String, remembersNetwork: Bool = false
  ) async throws(EnrolmentRefusal) -> EnrolmentView {
    guard let session = sessions[id] else {
      _ = try await record(id)
      throw .notAllowed(.ended)
    }
    return try await session.carryOut(
      .init(
        command: command, step: step, operatorName: operatorName,
        remembersNetwork: remembersNetwork)
    ).get()
  }

  // MARK: Sessions

  func open(_ machine: Enrolment, _ record: EnrolmentRecord) async -> EnrolmentSession {
    let session = EnrolmentSession(
      machine, record: record, context: context, scanner: scanner, slots: slots,
      log: log)
    sessions[record.id] = session
    await session.start { [weak self] in await self?.close(record.id) }
    return session
  }

  private func close(_ id: UUID) { sessions[id] = nil }

  func record(_ id: UUID) async throws(EnrolmentRefusal) -> EnrolmentRecord {
    guard let record = try await read({ try EnrolmentStore($0).find(id) }) else { throw .notFound }
    return record
  }

  func read<Result: Sendable>(
    _ body: @Sendable (SQLConnection) throws -> Result
  ) async throws(EnrolmentRefusal) -> Result {
    do throws(Fault) {
      return try await context.database.read(body)
    } catch {
      throw .fault(error)
    }
  }

  /// The view of one without a session. Its columns stand when its progress cannot be read.
  private func ended(_ record: EnrolmentRecord) -> EnrolmentView {
    let progress =
      (try? EnrolmentProgress(of: record)) ?? EnrolmentProgress(columnsOf: record)
    return EnrolmentView(
      record: record, machine: Enrolment(resuming: progress, deadlines: context.deadlines),
      at: context.now())
  }
}
