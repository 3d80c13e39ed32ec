import CSQLite
import Domain

/// How a database is opened: checked, brought up to date, and replaced when it is damaged.
struct DatabaseOpening {
  let file: DatabaseFile
  let reserve: SpaceReserve
  let migrations: [Migration]

  /// How long to wait for another program that has the file locked.
  static let busyTimeout = Duration.seconds(5)
  /// Bytes to which the write-ahead log is cut back when it starts over: what it grows to between two
  /// checkpoints.
  static let logLimit: Int64 = 4 << 20

  func open(at moment: Timestamp) throws(Fault) -> (SQLConnection, Opening) {
    do {
      return try openOrReplace(at: moment)
    } catch  where error.code == .storeFull && reserve.isHeld {
      reserve.release()
      return try openOrReplace(at: moment)
    }
  }

  private func openOrReplace(at moment: Timestamp) throws(Fault) -> (SQLConnection, Opening) {
    guard !file.isLost else { return try replace(at: moment, cause: "the file is empty or gone") }
    guard file.exists else { return (try create(), .fresh) }
    do {
      return try openExisting()
    } catch  where error.code == .storeDamaged {
      return try replace(at: moment, cause: error.detail)
    }
  }

  private func replace(at moment: Timestamp, cause: String) throws(Fault) -> (
    SQLConnection, Opening
  ) {
    let oldPath = try file.moveAside(at: moment)
    file.forgetDamage()
    return (try create(), .replacedDamaged(oldPath: oldPath, cause: cause))
  }

  private func create() throws(Fault) -> SQLConnection {
    try file.create()
    do {
      let connection = try SQLConnection(path: file.path)
      // Both only take in a new file, and the identity must be in the file before there is a log.
      try connection.execute(
        """
        PRAGMA auto_vacuum = INCREMENTAL;
        PRAGMA application_id = \(Int32.random(in: 1...Int32.max));
        """)
    } catch {
      // An empty file would be taken for a lost database at the next start.
      file.removeNew()
      throw Fault(error, at: file.path)
    }
    return try openExisting().0
  }

  private func openExisting() throws(Fault) -> (SQLConnection, Opening) {
    do {
      let connection = try SQLConnection(path: file.path)
      connection.setBusyTimeout(Self.busyTimeout)
      // Until all is found well: a log that is another file's must not be copied into this one.
      connection.keepLogOnClose(true)
      guard !connection.isReadOnly else {
        throw Fault(.storeReadOnly, "\(file.path) can only be read")
      }
      let found = try connection.schemaVersion
      let newest = migrations.last?.version ?? 0
      guard found <= newest else {
        throw Fault(
          .storeNewer, "\(file.path) has schema \(found), this program knows \(newest)")
      }
      guard try connection.identity == file.identity else {
        throw Fault(.storeDamaged, "\(file.log) belongs to another database")
      }
      try configure(connection)
      try check(connection)
      try connection.migrate(by: migrations)
      connection.keepLogOnClose(false)
      let isOlder = found > 0 && found < newest
      return (connection, .existing(migratedFrom: isOlder ? found : nil))
    } catch let error as SQLiteError {
      throw Fault(error, at: file.path)
    } catch let fault as Fault {
      throw fault
    } catch {
      preconditionFailure("opening threw \(error)")
    }
  }

  /// Triggers also
  /// see rows that `OR REPLACE` deletes.
  private func configure(_ connection: SQLConnection) throws(SQLiteError) {
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA recursive_triggers = ON;
      PRAGMA trusted_schema = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = \(Self.logLimit);
      PRAGMA wal_autocheckpoint = 1000;
      """)
  }

  /// Every table is checked at every start but the raw readings, whose check takes as long as their
  /// history: they are only when the file is small, or when damage was met since the last start.
  private func check(_ connection: SQLConnection) throws(SQLiteError) {
    let isThorough = file.isDamageNoted || DatabaseFile.size(of: file.path) <= 64 << 20
    let tables = try connection.query(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0
        AND name <> 'sqlite_sequence' AND (name <> 'reading' OR ?)
      """, isThorough
    ) { (row: SQLRow) throws(SQLiteError) -> String in try row["name"] }
    for table in tables {
      let verdict: String? = try connection.value(
        "SELECT quick_check AS value FROM pragma_quick_check(?)", table)
      guard verdict == "ok" else {
        throw SQLiteError(code: SQLITE_CORRUPT, message: "\(table): \(verdict ?? "no answer")")
      }
    }
    file.forgetDamage()
  }
}

extension DatabaseFile {
  private var damageNote: String { path + ".check" }

  /// Whether damage was met in use since the file was last checked.
  var isDamageNoted: Bool { Self.isPresent(damageNote) }

  func noteDamage() { Self.touch(damageNote) }

  func forgetDamage() { Self.remove(damageNote) }
}
