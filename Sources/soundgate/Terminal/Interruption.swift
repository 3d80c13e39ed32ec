import Dispatch
import Glibc
import Synchronization

/// What is done before a signal ends the program (Ctrl-C, a closed terminal, `kill`): the echo of a
/// terminal brought back, a last word.
package enum Interruption {
  package typealias Action = @Sendable () async -> Void

  private static let registry = Mutex<(next: Int, actions: [Int: Action])>((0, [:]))
  /// How long the actions may take, all together.
  private static let patience = DispatchTimeInterval.seconds(2)

  /// Runs `body`. If the program is interrupted meanwhile, `action` runs, those registered last first,
  /// and then the program ends as by any other interruption.
  package static func whenItComes<Result>(
    _ action: @escaping Action, during body: () async throws -> Result
  ) async rethrows -> Result {
    let number = add(action)
    defer { remove(number) }
    return try await body()
  }

  private static func add(_ action: @escaping Action) -> Int {
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
    for number in [SIGINT, SIGHUP, SIGTERM] {
      takenUp.enter()
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setRegistrationHandler { takenUp.leave() }
      source.setEventHandler {
        act(then: number)
        // Nobody else keeps the source.
        _ = source
      }
      source.resume()
    }
    takenUp.wait()
  }()

  private static func act(then number: Int32) {
    let actions = registry.withLock { $0.actions.sorted { $0.key > $1.key }.map(\.value) }
    DispatchQueue.global().asyncAfter(deadline: .now() + patience) { end(by: number) }
    Task {
      for action in actions { await action() }
      end(by: number)
    }
  }

  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    // Not `raise`: threads of Dispatch let no signal through.
    kill(getpid(), number)
  }
}
