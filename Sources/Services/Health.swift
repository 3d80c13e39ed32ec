import Domain
import Host

/// A question about one component that is asked again and again.
package struct HealthCheck: Sendable {
  package let component: Component
  /// How bad it is when there is a fault.
  package let level: ComponentLevel
  package let fault: @Sendable () async -> Fault?

  package init(
    _ component: Component, level: ComponentLevel = .degraded,
    fault: @escaping @Sendable () async -> Fault?
  ) {
    self.component = component
    self.level = level
    self.fault = fault
  }
}

/// The loop that asks the components how they do, and feeds the service manager's watchdog for as long
/// as the other loops get on with their work.
package struct Health: Sendable {
  private let checks: [HealthCheck]
  private let board: StatusBoard
  private let progress: Progress
  private let serviceManager: ServiceManager
  private let clock: any Clock<Duration>

  /// How often the components are asked when there is no watchdog.
  private static let usualInterval = Duration.seconds(15)
  /// The longest a loop may be at one piece of work: longer than any request or commit may take.
  package static let longestWork = Duration.seconds(90)

  package init(
    checks: [HealthCheck], board: StatusBoard, progress: Progress,
    serviceManager: ServiceManager, clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.checks = checks
    self.board = board
    self.progress = progress
    self.serviceManager = serviceManager
    self.clock = clock
  }

  /// Runs until cancelled.
  package func run() async {
    let interval = serviceManager.watchdogInterval.map { $0 / 2 } ?? Self.usualInterval
    while !Task.isCancelled {
      let stuck = progress.stuck(longerThan: Self.longestWork)
      if stuck.isEmpty {
        serviceManager.ping()
        await board.report(.loops, .ok)
      } else {
        let names = stuck.map(\.rawValue).joined(separator: ", ")
        await board.report(.loops, .down, Fault(.internalFault, "no progress: \(names)"))
      }
      for check in checks {
        let fault = await check.fault()
        await board.report(check.component, fault == nil ? .ok : check.level, fault)
      }
      try? await clock.sleep(for: interval)
    }
  }
}
