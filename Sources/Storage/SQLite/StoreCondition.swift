import Domain

/// How the store stands, for `status`.
package struct StoreCondition: Hashable, Sendable {
  /// What the last write failed with; nil once one succeeded.
  package let fault: Fault?
  /// Whether the disk is so full that raw readings are not stored; alerts still are.
  package let isSpaceShort: Bool
  /// How many raw readings were not stored for want of space since the start.
  package let droppedReadings: Int
  /// Bytes of the database, of its write-ahead log, and free on their disk.
  package let fileSize: Int64
  package let logSize: Int64
  package let freeSpace: Int64
}

/// What was found when the database was opened.
package enum Opening: Hashable, Sendable {
  /// There was none; a new one was made.
  case fresh
  /// - Parameter migratedFrom: the older schema version that it had; nil when it was up to date.
  case existing(migratedFrom: Int?)
  /// It was damaged: it now has this path, and a new one was made.
  case replacedDamaged(oldPath: String, cause: String)
}
