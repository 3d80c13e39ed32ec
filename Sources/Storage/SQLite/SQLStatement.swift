import CSQLite

/// A prepared statement: finalised when the connection's cache lets go of it.
final class SQLStatement {
  let sql: String
  /// Column numbers by name.
  let columns: [String: Int32]
  private let handle: Handle

  private struct Handle: ~Copyable {
    let pointer: OpaquePointer

    deinit { sqlite3_finalize(pointer) }
  }

  /// - Parameter pointer: a statement fresh from `sqlite3_prepare_v3`, owned from now on.
  init(owning pointer: OpaquePointer, sql: String) {
    self.sql = sql
    handle = Handle(pointer: pointer)
    var columns: [String: Int32] = [:]
    for index in 0..<sqlite3_column_count(pointer) {
      if let name = sqlite3_column_name(pointer, index) { columns[String(cString: name)] = index }
    }
    self.columns = columns
  }

  /// Whether running it changes nothing.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle.pointer) != 0 }

  /// - Returns: `SQLITE_OK`, or the first refusal.
  func bind(_ values: [any SQLStorable]) -> Int32 {
    for (index, value) in zip(Int32(1)..., values) {
      let result = bind(value.sqlValue, at: index)
      guard result == SQLITE_OK else { return result }
    }
    return SQLITE_OK
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null:
      return sqlite3_bind_null(handle.pointer, index)
    case .integer(let number):
      return sqlite3_bind_int64(handle.pointer, index, number)
    case .real(let number):
      return sqlite3_bind_double(handle.pointer, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          csqlite_bind_text(handle.pointer, index, $0.baseAddress, Int32($0.count))
        }
      }
    case .blob(let bytes):
      return bytes.withUnsafeBytes {
        csqlite_bind_blob(handle.pointer, index, $0.baseAddress, Int32($0.count))
      }
    }
  }

  /// - Returns: `SQLITE_ROW`, `SQLITE_DONE` or an error code.
  func step() -> Int32 { sqlite3_step(handle.pointer) }

  /// Makes the statement ready for its next use and lets go of the values bound to it.
  func reset() {
    sqlite3_reset(handle.pointer)
    sqlite3_clear_bindings(handle.pointer)
  }

  /// The value of a column of the current row.
  func value(at index: Int32) -> SQLValue {
    switch sqlite3_column_type(handle.pointer, index) {
    case SQLITE_INTEGER:
      return .integer(sqlite3_column_int64(handle.pointer, index))
    case SQLITE_FLOAT:
      return .real(sqlite3_column_double(handle.pointer, index))
    case SQLITE_TEXT:
      let bytes = sqlite3_column_text(handle.pointer, index)
      let count = Int(sqlite3_column_bytes(handle.pointer, index))
      return .text(String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(handle.pointer, index)
      let count = Int(sqlite3_column_bytes(handle.pointer, index))
      return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
    default:
      return .null
    }
  }
}

/// The current row of a query; valid only inside the closure that decodes it.
package struct SQLRow {
  let statement: SQLStatement

  /// The value of a column, as the type that is asked for; throws when the column holds another.
  package subscript<Value: SQLStorable>(column: String) -> Value {
    get throws(SQLiteError) {
      guard let index = statement.columns[column] else {
        preconditionFailure("no column \(column) in \(statement.sql)")
      }
      guard let value = Value(sqlValue: statement.value(at: index)) else {
        throw SQLiteError(
          code: SQLITE_MISMATCH, message: "column \(column) does not hold a \(Value.self)",
          sql: statement.sql)
      }
      return value
    }
  }
}
