import Dispatch

/// Calls that block, kept from the threads that tasks share: there are as many of those as the machine
/// has processors, and one that blocks is missing to everybody else.
package enum Blocking {
  /// Runs `body` on a queue of its own, which gets a thread of its own, and waits for its result.
  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "blocking").async { continuation.resume(returning: body()) }
    }
  }
}
