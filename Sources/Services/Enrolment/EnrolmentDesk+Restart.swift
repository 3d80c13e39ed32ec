import Domain
import FoundationEssentials
import Host
import Storage

extension EnrolmentDesk {
  /// Takes up what a restart interrupted, and serves until the task is cancelled.
  package func run() async throws(Fault) {
    try await start()
    let (forever, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in forever {}
    continuation.finish()
    await stop()
  }

  /// Opens every unfinished enrolment at its first step that is not validated.
  package func start() async throws(Fault) {
    let records = try await context.database.read { try EnrolmentStore($0).unfinished() }
    for record in records where sessions[record.id] == nil {
      do throws(Fault) {
        let progress = try EnrolmentProgress(of: record)
        let session = await open(
          Enrolment(resuming: progress, deadlines: context.deadlines), record)
        if case .parked = await session.machine.state {
          _ = await session.carryOut(
            .init(command: .resume, step: nil, operatorName: Self.gateway))
        }
      } catch {
        await end(record, for: error)
      }
    }
    do throws(Fault) {
      try await context.removeLeftoverAccounts()
    } catch {
      log.warning("accounts left behind were not removed", ["fault": error])
    }
  }

  /// Lets go of links and sessions; where each enrolment stands is on record.
  package func stop() async {
    for session in sessions.values { await session.stop() }
    sessions = [:]
  }

  /// A progress that cannot be trusted ends its enrolment; sensor and accounts stay as they are, and
  /// the person begins anew.
  private func end(_ record: EnrolmentRecord, for fault: Fault) async {
    log.error(
      "an enrolment's progress cannot be used, it ends", ["enrolment": record.id, "fault": fault])
    do throws(Fault) {
      let now = context.now()
      try await context.database.write { connection in
        var progress = EnrolmentProgress(columnsOf: record)
        progress.failure = fault
        var ended = record
        ended.ended = fault.code
        ended.progress = try progress.json
        ended.updatedAt = now
        _ = try EnrolmentStore(connection).update(ended)
        try AuditStore(connection).append(
          AuditEntry(
            enrolment: record.id, at: now, operatorName: Self.gateway, from: nil,
            to: Enrolment.State.failed(fault).word, why: "progress-damaged \(fault.code)",
            step: record.step))
      }
    } catch {
      log.error("its end was not written", ["enrolment": record.id, "fault": error])
    }
  }
}

extension EnrolmentProgress {
  /// What the record's columns tell when its progress cannot be read.
  init(columnsOf record: EnrolmentRecord) {
    self.init()
    step = EnrolmentStep(rawValue: record.step) ?? .chooseSensor
    isCompleted = record.isCompleted
    account = record.account
    if let sensor = record.sensor, let address = record.address {
      peripheral = Peripheral(address: address, sensor: sensor, firstSeen: record.createdAt)
    }
    failure = record.ended.map { Fault($0) }
  }
}
