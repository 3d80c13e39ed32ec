import CSQLite
import Domain
import Glibc
import Host

/// What SQLite answered: its result code, its words, and the statement (placeholders, no values).
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The extended result code.
  package let code: Int32
  package let message: String
  package let sql: String
  /// The `errno` of the file operation that failed; 0 when none did.
  package let systemError: Int32

  package init(code: Int32, message: String, sql: String = "", systemError: Int32 = 0) {
    self.code = code
    self.message = message
    self.sql = sql
    self.systemError = systemError
  }

  /// The low byte of the code: the kind of error.
  package var primaryCode: Int32 { code & 0xff }

  /// Whether the same statement may succeed later without anybody repairing anything.
  package var isTransient: Bool {
    isFull || [SQLITE_BUSY, SQLITE_LOCKED].contains(primaryCode)
  }

  /// Whether a rule of the schema refused the change.
  package var isConstraint: Bool { primaryCode == SQLITE_CONSTRAINT }

  /// Whether the file's content is broken.
  package var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(primaryCode) }

  /// Whether the disk is full: for the files themselves, or for the log's index.
  package var isFull: Bool {
    primaryCode == SQLITE_FULL || [ENOSPC, EDQUOT].contains(systemError)
      || code == SQLITE_IOERR | (19 << 8)  // SQLITE_IOERR_SHMSIZE
  }

  package var description: String {
    sql.isEmpty ? "\(message) (\(code))" : "\(message) (\(code)) in: \(sql)"
  }
}

extension Fault {
  /// The fault that people are told: which file, and SQLite's words. The statement is for the log.
  ///
  /// - Parameter path: the database's file.
  package init(_ error: SQLiteError, at path: String) {
    let code: Code =
      switch error.primaryCode {
      case _ where error.isFull: .storeFull
      case _ where error.systemError == EROFS: .storeReadOnly
      case SQLITE_READONLY, SQLITE_PERM: .storeReadOnly
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH: .storeDamaged
      case SQLITE_BUSY, SQLITE_LOCKED: .storeBusy
      case SQLITE_CANTOPEN: .storeUnopened
      default: .storeWrite
      }
    let reason = error.systemError == 0 ? "" : ", \(systemMessage(error.systemError))"
    self.init(code, "\(path): \(error.message)\(reason) (\(error.code))")
  }
  /// The fault of a file in the state directory that could not be made or moved.
  package init(storing error: FileError) {
    let code: Code =
      switch error.error {
      case ENOSPC, EDQUOT: .storeFull
      case EROFS: .storeReadOnly
      default: .storeUnopened
      }
    self.init(code, error.description)
  }
}
