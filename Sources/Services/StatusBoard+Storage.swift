import Domain
import Storage

extension StatusBoard {
  /// Says how the store does that has just been written to or opened: the one place that decides it.
  package func reportStorage(of database: Database) async {
    if await database.condition().isSpaceShort {
      report(
        .storage, .degraded, Fault(.storeFull, "raw readings are not stored, alerts are"))
    } else if case .replacedDamaged(let oldPath, _) = database.opening {
      // Loud until the next start: what it held is only in the file that was set aside (D02).
      report(.storage, .degraded, Fault(.storeDamaged, "set aside as \(oldPath)"))
    } else {
      report(.storage, .ok)
    }
  }
}
