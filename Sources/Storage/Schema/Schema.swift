/// The shape of the database, version by version; the rules of the data are constraints in it.
enum Schema {
  /// Every step from an empty file to today's schema; a released step is never edited.
  static let migrations = [
    Migration(version: 1, script: version1)
  ]

  static var version: Int { migrations.last?.version ?? 0 }
}

/// One step of the schema, taken in one transaction.
struct Migration {
  /// The version that the file has afterwards.
  let version: Int
  let script: String
}

/// Brings a file up to date, from whatever version on. Each step commits with its version number, so
/// a power cut between two steps only means that fewer are left.
struct Migrations {
  let steps: [Migration]

  init(_ steps: [Migration] = Schema.migrations) { self.steps = steps }

  /// - Returns: the version that the file had before.
  @discardableResult
  func apply(to connection: SQLConnection) throws -> Int {
    let found = try connection.schemaVersion
    for step in steps where step.version > found {
      try connection.transaction { connection in
        try connection.execute(step.script)
        try connection.execute("PRAGMA user_version = \(step.version)")
      }
    }
    return found
  }
}

extension SQLConnection {
  /// The version of the schema in the file; 0 for a new one.
  package var schemaVersion: Int {
    get throws(SQLiteError) {
      try value("SELECT user_version AS value FROM pragma_user_version") ?? 0
    }
  }
}
