import Dispatch
import Glibc
import Synchronization

/// What is done before Ctrl-C ends the program: the echo of a terminal brought back, a last word.
package enum Interruption {
  private static let registry = Mutex<(next: Int, actions: [Int: @Sendable () -> Void])>((0, [:]))

  /// Runs `body`. If the program is interrupted meanwhile, `action` runs, those registered last first,
  /// and then the program ends as by any other interruption.
  package static func whenItComes<Result>(
    _ action: @escaping @Sendable () -> Void, during body: () async throws -> Result
  ) async rethrows -> Result {
    let number = add(action)
    defer { remove(number) }
    return try await body()
  }

  private static func add(_ action: @escaping @Sendable () -> Void) -> Int {
    _ = listening
    return registry.withLock { registry in
      registry.next += 1
      registry.actions[registry.next] = action
      return registry.next
    }
  }

  private static func remove(_ number: Int) {
    registry.withLock { registry in registry.actions[number] = nil }
  }

  /// Listens from the first use on, as long as the program runs.
  private static let listening: Void = {
    let takenUp = DispatchGroup()
    takenUp.enter()
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setRegistrationHandler { takenUp.leave() }
    source.setEventHandler {
      let actions = registry.withLock { $0.actions.sorted { $0.key > $1.key }.map(\.value) }
      for action in actions { action() }
      signal(SIGINT, SIG_DFL)
      // Not `raise`: threads of Dispatch let no signal through.
      kill(getpid(), SIGINT)
      // Nobody else keeps the source.
      _ = source
    }
    source.resume()
    takenUp.wait()
  }()
}
