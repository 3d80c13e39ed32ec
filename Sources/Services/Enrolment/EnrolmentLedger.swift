import Domain
import FoundationEssentials
import Storage

/// What is written down of enrolments: each transition with its consequences in one transaction.
struct EnrolmentLedger: Sendable {
  let database: Database

  /// What came of writing a transition.
  enum Outcome: Hashable, Sendable {
    case written
    /// Another enrolment of this sensor goes on; nothing was written.
    case taken(by: UUID)
  }

  /// Begins the record of a new enrolment.
  ///
  /// - Returns: false when `limit` enrolments go on already.
  func begin(_ record: EnrolmentRecord, limit: Int) async throws(Fault) -> Bool {
    try await database.write { connection in
      let enrolments = EnrolmentStore(connection)
      guard try enrolments.unfinished().count < limit else { return false }
      try enrolments.insert(record)
      try AuditStore(connection).append(
        AuditEntry(
          enrolment: record.id, at: record.createdAt, operatorName: record.operatorName, from: nil,
          to: Enrolment.State.scanning(complaint: nil).word, why: "begin", step: record.step))
      return true
    }
  }

  /// Writes a transition: the progress, the audit entries, and what `effects` change in the store.
  func write(
    _ record: EnrolmentRecord, _ progress: EnrolmentProgress, entries: [AuditEntry],
    effects: [Enrolment.Effect]
  ) async throws(Fault) -> Outcome {
    try await database.write { connection in
      let enrolments = EnrolmentStore(connection)
      if let sensor = record.sensor, record.isUnfinished,
        let other = try enrolments.unfinished(of: sensor), other.id != record.id
      {
        return .taken(by: other.id)
      }
      guard try enrolments.update(record) else {
        throw Fault(.progressDamaged, "the enrolment \(record.id) is not in the database")
      }
      for entry in entries { try AuditStore(connection).append(entry) }
      guard let peripheral = progress.peripheral else { return .written }
      for effect in effects {
        try apply(effect, progress, peripheral, at: record.updatedAt, connection)
      }
      return .written
    }
  }

  private func apply(
    _ effect: Enrolment.Effect, _ progress: EnrolmentProgress, _ peripheral: Peripheral,
    at time: Timestamp, _ connection: SQLConnection
  ) throws {
    let sensors = SensorStore(connection)
    switch effect {
    case .writeMQTT:
      if let account = progress.account {
        _ = try AccountStore(connection).advance(account, to: .written)
      }
    case .keepAccount:
      guard let account = progress.account else { return }
      _ = try AccountStore(connection).advance(account, to: .proven)
      if var sensor = try sensors.find(peripheral.sensor) {
        sensor.account = account
        try sensors.save(sensor)
      }
    case .register(let name):
      let known = try sensors.remembered(peripheral.sensor)
      try sensors.save(
        Sensor(
          id: peripheral.sensor, kind: peripheral.kind, name: name, enrolledAt: time,
          calibrationOffset: known?.calibrationOffset, account: progress.account))
    default: break
    }
  }
}

extension EnrolmentProgress {
  /// As it is kept in the database.
  var json: String {
    get throws(Fault) {
      guard let bytes = try? JSONEncoder().encode(self) else {
        throw Fault(.internalFault, "the progress cannot be written down")
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// - Throws: `progressDamaged` when it is missing, unreadable, impossible, or at odds with the
  ///   record it is kept in.
  init(of record: EnrolmentRecord) throws(Fault) {
    guard !record.progress.isEmpty else { throw Fault(.progressDamaged, "missing") }
    guard
      let progress = try? JSONDecoder().decode(Self.self, from: Data(record.progress.utf8))
    else { throw Fault(.progressDamaged, "unreadable") }
    let agrees =
      progress.step.rawValue == record.step && progress.isCompleted == record.isCompleted
      && progress.failure?.code == record.ended && progress.account == record.account
      && progress.peripheral?.sensor == record.sensor
      && progress.peripheral?.address == record.address
    guard agrees, progress.isConsistent else { throw Fault(.progressDamaged, "inconsistent") }
    self = progress
  }
}

extension EnrolmentRecord {
  /// The record brought up to a progress.
  func updated(to progress: EnrolmentProgress, at time: Timestamp) throws(Fault) -> Self {
    var record = self
    record.sensor = progress.peripheral?.sensor
    record.address = progress.peripheral?.address
    record.step = progress.step.rawValue
    record.isCompleted = progress.isCompleted
    record.ended = progress.failure?.code
    record.account = progress.account
    record.progress = try progress.json
    record.updatedAt = time
    return record
  }
}
