import CSQLite

/// One connection to a database file, with its statements kept prepared.
///
/// It belongs to the `Database` actor and is lent to the closures of `read` and `write`; it cannot
/// leave them.
package final class SQLConnection {
  private let handle: Handle
  private var statements: [String: SQLStatement] = [:]
  /// Set while a transaction of `Database.write` is open.
  var isWriting = false
  /// Set while the disk is too full for anything but alerts; then raw readings are not stored.
  var isSpaceShort = false
  /// How many raw readings were not stored for want of space since the start.
  var droppedReadings = 0

  private struct Handle: ~Copyable {
    let pointer: OpaquePointer

    // Version 2 also closes a connection whose last statement is finalised later.
    deinit { sqlite3_close_v2(pointer) }
  }

  /// Opens an existing file; the connection must only be used by one thread at a time.
  init(path: String) throws(SQLiteError) {
    var pointer: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &pointer, flags, nil)
    guard let pointer else { throw SQLiteError(code: SQLITE_NOMEM, message: "out of memory") }
    handle = Handle(pointer: pointer)
    guard result == SQLITE_OK else { throw Self.lastError(of: pointer) }
  }

  // Statements go before the connection, so that closing it removes the write-ahead log.
  deinit { statements.removeAll() }

  /// Runs a statement that returns no rows.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  package func run(_ sql: String, _ values: any SQLStorable...) throws(SQLiteError) -> Int {
    try each(sql, values) { (_: SQLRow) throws(SQLiteError) in }
    return Int(sqlite3_changes64(handle.pointer))
  }

  /// Runs a query and decodes every row.
  package func query<Result>(
    _ sql: String, _ values: any SQLStorable..., as decode: (SQLRow) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> [Result] {
    try query(sql, values: values, as: decode)
  }

  /// The same, for values put together at run time.
  package func query<Result>(
    _ sql: String, values: [any SQLStorable], as decode: (SQLRow) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> [Result] {
    var results: [Result] = []
    try each(sql, values) { (row: SQLRow) throws(SQLiteError) in results.append(try decode(row)) }
    return results
  }

  /// Runs a query of at most one row.
  package func first<Result>(
    _ sql: String, _ values: any SQLStorable..., as decode: (SQLRow) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result? {
    try query(sql, values: values, as: decode).first
  }

  /// Runs a query whose one row has one column named `value`.
  package func value<Value: SQLStorable>(
    _ sql: String, _ values: any SQLStorable..., as type: Value.Type = Value.self
  ) throws(SQLiteError) -> Value? {
    try query(sql, values: values) { (row: SQLRow) throws(SQLiteError) -> Value in
      try row["value"]
    }.first
  }

  private func each(
    _ sql: String, _ values: [any SQLStorable], _ body: (SQLRow) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try prepared(sql)
    precondition(isWriting || statement.isReadOnly, "a write outside a transaction: \(sql)")
    defer { statement.reset() }
    guard statement.bind(values) == SQLITE_OK else { throw lastError(sql) }
    while true {
      switch statement.step() {
      case SQLITE_ROW: try body(SQLRow(statement: statement))
      case SQLITE_DONE: return
      default: throw lastError(sql)
      }
    }
  }

  private func prepared(_ sql: String) throws(SQLiteError) -> SQLStatement {
    if let statement = statements[sql] { return statement }
    var pointer: OpaquePointer?
    let result = sqlite3_prepare_v3(
      handle.pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
    guard result == SQLITE_OK, let pointer else { throw lastError(sql) }
    let statement = SQLStatement(owning: pointer, sql: sql)
    statements[sql] = statement
    return statement
  }

  private func lastError(_ sql: String) -> SQLiteError { Self.lastError(of: handle.pointer, sql) }

  private static func lastError(of pointer: OpaquePointer, _ sql: String = "") -> SQLiteError {
    let code = sqlite3_extended_errcode(pointer)
    // An `errno` of long ago says nothing of an error that was none of the files'.
    let isFiles = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xff)
    return SQLiteError(
      code: code, message: String(cString: sqlite3_errmsg(pointer)), sql: sql,
      systemError: isFiles ? sqlite3_system_errno(pointer) : 0)
  }
}

extension SQLConnection {
  /// Runs a script of statements without values: transactions, pragmas, schema.
  func execute(_ script: String) throws(SQLiteError) {
    guard sqlite3_exec(handle.pointer, script, nil, nil, nil) == SQLITE_OK else {
      throw lastError(script)
    }
  }

  func setBusyTimeout(_ span: Duration) {
    let seconds = span.components.seconds
    sqlite3_busy_timeout(handle.pointer, Int32(clamping: seconds * 1000))
  }

  /// Whether closing leaves file and log as they are, instead of copying the log into the file.
  func keepLogOnClose(_ keep: Bool) {
    _ = csqlite_keep_log_on_close(handle.pointer, keep ? 1 : 0)
  }

  /// The number that tells this file from others, as seen through its log.
  var identity: UInt32 {
    get throws(SQLiteError) {
      let number: Int64? = try value(
        "SELECT application_id AS value FROM pragma_application_id")
      return UInt32(truncatingIfNeeded: number ?? 0)
    }
  }

  /// Whether the file can only be read.
  var isReadOnly: Bool { sqlite3_db_readonly(handle.pointer, "main") == 1 }

  /// Runs `body` between BEGIN IMMEDIATE and COMMIT; everything is undone when it throws.
  func transaction<Result>(_ body: (SQLConnection) throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    isWriting = true
    defer { isWriting = false }
    do {
      let result = try body(self)
      try execute("COMMIT")
      return result
    } catch {
      // A full disk or an I/O error may have rolled back by itself.
      if sqlite3_get_autocommit(handle.pointer) == 0 { try? execute("ROLLBACK") }
      throw error
    }
  }

  /// The texts of the statements prepared so far.
  package var preparedStatements: [String] { statements.keys.sorted() }
}
