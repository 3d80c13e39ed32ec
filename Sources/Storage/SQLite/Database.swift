import Domain
import Host

/// The gateway's database: one file, one connection, one writer.
///
/// ```swift
/// let sensors = try await database.read { try SensorStore($0).all() }
/// try await database.write { try SensorStore($0).save(sensor) }
/// ```
package actor Database {
  package nonisolated let path: String
  /// What was found when it was opened; a damaged one is to be told loudly.
  package nonisolated let opening: Opening

  private let executor: QueueExecutor
  /// Nil once closed.
  private var openConnection: SQLConnection?
  private let file: DatabaseFile
  private let reserve: SpaceReserve
  private var fault: Fault?
  private let log = Log("storage")

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Opens the database at `path`, made new when there is none; a damaged one is moved aside first.
  ///
  /// - Parameters:
  ///   - reserve: bytes held back beside the file for a full disk; 0 for none.
  ///   - openedAt: the date in the name of a damaged file.
  ///   - migrations: the steps that make and update its schema.
  /// - Throws: `storeNewer` for a newer version's database, which is left as it is; otherwise the
  ///   fault that kept it from opening.
  package init(
    path: String, reserve: Int64 = 16 << 20, openedAt: Timestamp = .now,
    migrations: [Migration] = Schema.migrations
  ) throws(Fault) {
    self.path = path
    file = DatabaseFile(path: path)
    self.reserve = SpaceReserve(path: path + ".reserve", size: reserve)
    executor = QueueExecutor(label: "soundgate.database")
    let (connection, opening) = try DatabaseOpening(
      file: file, reserve: self.reserve, migrations: migrations
    ).open(at: openedAt)
    connection.isSpaceShort = !self.reserve.take()
    openConnection = connection
    self.opening = opening
  }

  private var connection: SQLConnection {
    get throws {
      guard let openConnection else { throw Fault(.shuttingDown, "the database is closed") }
      return openConnection
    }
  }

  /// Closes the file, with all of the log in it; whatever comes later is refused.
  package func close() { openConnection = nil }

  /// Reads; what several queries of one closure see belongs together.
  ///
  /// - Throws: the `Fault` that `body` throws, or the storage fault of its `SQLiteError`. A refusal
  ///   is returned as a value.
  package func read<Result: Sendable>(
    _ body: @Sendable (SQLConnection) throws -> Result
  ) throws(Fault) -> Result {
    do { return try body(try connection) } catch { throw noted(error) }
  }

  /// Writes: one transaction, durable when it returns, undone when `body` throws.
  ///
  /// On a full disk the reserve is given up and `body` runs once more, now with raw readings left
  /// out; so `body` must not count its own runs.
  ///
  /// - Throws: as `read` does.
  package func write<Result: Sendable>(
    _ body: @Sendable (SQLConnection) throws -> Result
  ) throws(Fault) -> Result {
    do {
      let result = try transaction(on: try connection, body)
      fault = nil
      return result
    } catch {
      let fault = noted(error)
      if fault.code.leg == .storage { self.fault = fault }
      throw fault
    }
  }

  private func transaction<Result>(
    on connection: SQLConnection, _ body: (SQLConnection) throws -> Result
  ) throws -> Result {
    resumeStoringIfPossible(connection)
    let dropped = connection.droppedReadings
    do {
      return try connection.transaction(body)
    } catch let error as SQLiteError where error.isFull && !connection.isSpaceShort {
      reserve.release()
      connection.isSpaceShort = true
      connection.droppedReadings = dropped
      return try connection.transaction(body)
    }
  }

  /// Ends the shortage once twice the reserve is free, so that it does not come back at once.
  private func resumeStoringIfPossible(_ connection: SQLConnection) {
    guard connection.isSpaceShort, file.freeSpace >= 2 * reserve.size, reserve.take() else {
      return
    }
    connection.isSpaceShort = false
  }

  /// Empties a write-ahead log that a reader held up until it outgrew its limit, and gives up to
  /// `pages` free pages back to the disk. Waits for no reader.
  package func tidy(pages: Int = 256) throws(Fault) {
    do {
      let connection = try connection
      if DatabaseFile.size(of: file.log) > DatabaseOpening.logLimit {
        connection.setBusyTimeout(.zero)
        defer { connection.setBusyTimeout(DatabaseOpening.busyTimeout) }
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
      try connection.execute("PRAGMA incremental_vacuum(\(pages))")
    } catch {
      throw noted(error)
    }
  }

  package func condition() -> StoreCondition {
    StoreCondition(
      fault: fault, isSpaceShort: openConnection?.isSpaceShort ?? false,
      droppedReadings: openConnection?.droppedReadings ?? 0, fileSize: DatabaseFile.size(of: path),
      logSize: DatabaseFile.size(of: file.log), freeSpace: file.freeSpace)
  }

  /// The fault for people; a closure's own `Fault` stays what it is. Damage is noted beside the
  /// file, so that the next start looks at all of it.
  private func noted(_ error: any Error) -> Fault {
    switch error {
    case let fault as Fault:
      return fault
    case let error as SQLiteError:
      if error.isDamage { file.noteDamage() }
      log.debug("SQLite refused", ["error": error])
      return Fault(error, at: path)
    default:
      return Fault(.internalFault, String(describing: error))
    }
  }
}
