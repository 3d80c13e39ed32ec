import Domain
import Host

/// A part of the gateway whose state people ask for.
package enum Component: String, Hashable, Sendable, Codable, CaseIterable {
  case bluetooth
  /// The connection to the broker.
  case broker
  /// Whether the broker waits for our acknowledgement of a reading.
  case brokerGuarantee
  /// Whether the address given to the sensors is still this machine's.
  case brokerAddress
  /// Whether the broker's accounts can be made and deleted.
  case brokerAccounts
  case storage
  case backend
  /// Whether the machine's clock is synchronised.
  case clock
  /// Whether the loops of the daemon make progress.
  case loops
}

/// How well a component does.
package enum ComponentLevel: String, Hashable, Sendable, Codable, CaseIterable {
  case ok
  /// It works, with less than was promised.
  case degraded
  case down
}

/// What the board says of one component.
package struct ComponentStatus: Hashable, Sendable, Codable {
  package let component: Component
  package let level: ComponentLevel
  /// Why it is not ok.
  package let fault: Fault?
  /// When it came to this level for this reason.
  package let since: Timestamp

  package init(component: Component, level: ComponentLevel, fault: Fault?, since: Timestamp) {
    self.component = component
    self.level = level
    self.fault = fault
    self.since = since
  }
}

/// What happened so many times since the process started.
package enum Tally: String, Hashable, Sendable, Codable, CaseIterable {
  case readingsStored
  /// Deliveries of a reading that was already stored.
  case repeats
  case retainedCopies
  case payloadsRefused
  case payloadsOversized
  /// Messages on a topic that is none of ours.
  case oddTopics
  /// Readings of chip ids that are not registered.
  case unclaimedReadings
  /// Raw readings given up because the disk is full.
  case readingsDropped
  case alertsMade
  case alertsDelivered
  case alertsRefused
  /// Alerts given up after seven days.
  case alertsDropped
}

/// The state of the daemon's parts, as `status` shows it.
package actor StatusBoard {
  private let now: WallClock
  private var components: [Component: ComponentStatus] = [:]
  private var tallies: [Tally: Int] = [:]
  private let subscribers = Fanout<ComponentStatus>(buffer: 64)

  private let log = Log("status")

  package init(now: @escaping WallClock) { self.now = now }

  /// Says how a component does. Saying the same again changes nothing.
  package func report(_ component: Component, _ level: ComponentLevel, _ fault: Fault? = nil) {
    let old = components[component]
    guard old?.level != level || old?.fault?.code != fault?.code else { return }
    let status = ComponentStatus(
      component: component, level: level, fault: fault, since: now())
    components[component] = status
    subscribers.yield(status)
    switch level {
    case .ok where old == nil: break
    case .ok: log.notice("all is well again", ["component": component.rawValue])
    case .degraded, .down:
      log.warning(
        "something is wrong",
        [
          "component": component.rawValue, "level": level.rawValue,
          "fault": fault?.description ?? "",
        ])
    }
  }

  package func count(_ tally: Tally, by number: Int = 1) { tallies[tally, default: 0] += number }

  package subscript(component: Component) -> ComponentStatus? { components[component] }

  package subscript(tally: Tally) -> Int { tallies[tally, default: 0] }

  /// Every component that has been reported, in the order of their declaration.
  package var statuses: [ComponentStatus] { Component.allCases.compactMap { components[$0] } }

  package var counts: [Tally: Int] { tallies }

  /// The worst of all; ok before anything was reported.
  package var level: ComponentLevel {
    let levels = Set(components.values.map(\.level))
    return levels.contains(.down) ? .down : levels.contains(.degraded) ? .degraded : .ok
  }

  /// The changes from now on; a subscriber that does not keep up loses the oldest.
  package func changes() -> AsyncStream<ComponentStatus> { subscribers.stream() }
}
