import Domain
import FoundationEssentials
import Services
import Texts

extension API {
  /// How the gateway does.
  package struct Status: Hashable, Sendable, Codable {
    package let gateway: String
    package let site: String?
    package let version: String
    package let startedAt: Moment
    package let now: Moment
    package let level: ComponentLevel
    package let components: [Component]
    package let counts: [String: Int]
    package let sensors: Int
    package let unreadAlerts: Int
    package let outbox: Outbox

    package init(
      gateway: String, site: String?, version: String, startedAt: Moment, now: Moment,
      level: ComponentLevel, components: [Component], counts: [String: Int], sensors: Int,
      unreadAlerts: Int, outbox: Outbox
    ) {
      self.gateway = gateway
      self.site = site
      self.version = version
      self.startedAt = startedAt
      self.now = now
      self.level = level
      self.components = components
      self.counts = counts
      self.sensors = sensors
      self.unreadAlerts = unreadAlerts
      self.outbox = outbox
    }
  }

  /// How one part does, and why.
  package struct Component: Hashable, Sendable, Codable {
    package let component: Services.Component
    package let level: ComponentLevel
    package let since: Moment
    package let fault: Fault?

    package init(_ status: ComponentStatus, _ language: Language) {
      component = status.component
      level = status.level
      since = Moment(status.since)
      fault = status.fault.map { Fault($0, language) }
    }
  }

  /// What waits to be delivered.
  package struct Outbox: Hashable, Sendable, Codable {
    package let waiting: Int
    package let parked: Int

    package init(waiting: Int, parked: Int) {
      self.waiting = waiting
      self.parked = parked
    }
  }

  /// Where alerts are sent.
  package struct Backend: Hashable, Sendable, Codable {
    package let url: String?
    package let hasSecret: Bool
    package let waiting: Int
    package let parked: Int
    package let oldestAt: Moment?

    package init(url: String?, hasSecret: Bool, waiting: Int, parked: Int, oldestAt: Moment?) {
      self.url = url
      self.hasSecret = hasSecret
      self.waiting = waiting
      self.parked = parked
      self.oldestAt = oldestAt
    }
  }
}
