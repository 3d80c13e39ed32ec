import Domain

/// Something that must happen in time.
enum Deadline {
  /// What `body` answers, or `fault` once `limit` has passed.
  static func within<Result: Sendable>(
    _ limit: Duration, _ fault: Fault, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: limit)
        throw fault
      }
      defer { group.cancelAll() }
      guard let result = try await group.next() else { throw fault }
      return result
    }
  }
}
