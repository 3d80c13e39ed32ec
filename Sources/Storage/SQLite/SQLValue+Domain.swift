import Domain
import FoundationEssentials

/// Whole milliseconds since 1970.
extension Timestamp: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .integer(let milliseconds) = value else { return nil }
    self.init(milliseconds: milliseconds)
  }

  package var sqlValue: SQLValue { .integer(milliseconds) }
}

/// The 36 upper-case characters that the API prints.
extension UUID: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .text(let text) = value else { return nil }
    self.init(uuidString: text)
  }

  package var sqlValue: SQLValue { .text(uuidString) }
}

extension SensorID: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .text(let text) = value else { return nil }
    self.init(text)
  }

  package var sqlValue: SQLValue { .text(text) }
}

extension SensorName: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .text(let text) = value, let name = SensorName(kept: text) else { return nil }
    self = name
  }

  package var sqlValue: SQLValue { .text(text) }
}

extension SensorKind: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .text(let text) = value else { return nil }
    self.init(prefix: text)
  }

  package var sqlValue: SQLValue { .text(prefix) }
}

extension BluetoothAddress: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .text(let text) = value else { return nil }
    self.init(text)
  }

  package var sqlValue: SQLValue { .text(text) }
}

extension Code: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .text(let text) = value else { return nil }
    self.init(text)
  }

  package var sqlValue: SQLValue { .text(description) }
}

extension RuleField: SQLStorable {}
extension RuleOperator: SQLStorable {}
extension Severity: SQLStorable {}
extension Alert.Kind: SQLStorable {}
extension Alert.State: SQLStorable {}
extension AccountRecord.State: SQLStorable {}
