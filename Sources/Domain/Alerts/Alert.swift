import FoundationEssentials

/// An item of the alert centre (PD-105): what happened, how bad, and whether it was seen.
package struct Alert: Hashable, Sendable, Codable, Identifiable {
  /// Random (version 4), and the `Idempotency-Key` of its delivery.
  package let id: UUID
  package let kind: Kind
  package let sensor: SensorID?
  package let rule: UUID?
  package let severity: Severity
  package var state: State
  /// When the cause was: the reading's time for a rule.
  package let at: Timestamp
  /// The rule's label, or the subject of another kind; nil for a rule without one, which goes by the
  /// name of its `field`.
  package let label: String?
  package let field: RuleField?
  package let comparison: RuleOperator?
  package let threshold: Double?
  package let value: Double?
  /// The number of readings, for a backlog's summary; of alerts, for drops.
  package let count: Int?

  package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// A rule fired.
    case rule
    /// Readings older than two minutes came in after a break and would have fired.
    case backlog
    /// Alerts could not be delivered for seven days and were given up.
    case undelivered
    /// The backend refused an alert; it is parked.
    case refused
  }

  /// received → unread → read → expired (after 90 days). A silent item enters as read.
  package enum State: String, Hashable, Sendable, Codable, CaseIterable {
    case unread
    case read
    case expired
  }

  package init(
    id: UUID, kind: Kind, sensor: SensorID?, rule: UUID? = nil, severity: Severity, state: State,
    at: Timestamp, label: String?, field: RuleField? = nil, comparison: RuleOperator? = nil,
    threshold: Double? = nil, value: Double? = nil, count: Int? = nil
  ) {
    self.id = id
    self.kind = kind
    self.sensor = sensor
    self.rule = rule
    self.severity = severity
    self.state = state
    self.at = at
    self.label = label
    self.field = field
    self.comparison = comparison
    self.threshold = threshold
    self.value = value
    self.count = count
  }
}
