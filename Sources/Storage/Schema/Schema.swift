/// The shape of the database, version by version; the rules of the data are constraints in it.
package enum Schema {
  /// Every step from an empty file to today's schema; a released step is never edited.
  package static let migrations = [
    Migration(version: 1, script: version1)
  ]
}

/// One step of the schema, taken in one transaction.
package struct Migration: Sendable {
  /// The version that the file has afterwards.
  package let version: Int
  package let script: String

  package init(version: Int, script: String) {
    self.version = version
    self.script = script
  }
}

extension SQLConnection {
  /// The version of the schema in the file; 0 for a new one.
  package var schemaVersion: Int {
    get throws(SQLiteError) {
      try value("SELECT user_version AS value FROM pragma_user_version") ?? 0
    }
  }

  /// Brings the file up to date, from whatever version on. Each step commits with its version
  /// number, so a power cut between two steps only means that fewer are left.
  func migrate(by steps: [Migration]) throws {
    let found = try schemaVersion
    for step in steps where step.version > found {
      try transaction { connection in
        try connection.execute(step.script)
        try connection.execute("PRAGMA user_version = \(step.version)")
      }
    }
  }
}
