import Domain
import Storage

/// A real database in a directory of its own; both go with the last reference.
package final class TemporaryDatabase: Sendable {
  package let database: Database
  private let directory: TemporaryDirectory

  package init() throws {
    directory = try TemporaryDirectory()
    database = try Database(path: directory.path + "/test.db", reserve: 0)
  }
}

extension TemporaryDatabase {
  package func read<Result: Sendable>(
    _ body: @Sendable (SQLConnection) throws -> Result
  ) async throws(Fault) -> Result { try await database.read(body) }

  @discardableResult
  package func write<Result: Sendable>(
    _ body: @Sendable (SQLConnection) throws -> Result
  ) async throws(Fault) -> Result { try await database.write(body) }
}
