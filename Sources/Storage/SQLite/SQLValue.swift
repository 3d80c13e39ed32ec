/// What a column can hold.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A value with a place in a column: bound to statements and read back from rows.
package protocol SQLStorable {
  /// - Returns: nil when `value` is not of this type's form.
  init?(sqlValue value: SQLValue)

  var sqlValue: SQLValue { get }
}

extension SQLValue: SQLStorable {
  package init(sqlValue value: SQLValue) { self = value }
  package var sqlValue: SQLValue { self }
}

/// NULL is nil, and nothing else is.
extension Optional: SQLStorable where Wrapped: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    if value == .null {
      self = nil
    } else if let wrapped = Wrapped(sqlValue: value) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }

  package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

extension Int64: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .integer(let number) = value else { return nil }
    self = number
  }

  package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .integer(let number) = value, let exact = Int(exactly: number) else { return nil }
    self = exact
  }

  package var sqlValue: SQLValue { .integer(Int64(self)) }
}

/// 0 or 1.
extension Bool: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    switch value {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }

  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .real(let number) = value else { return nil }
    self = number
  }

  package var sqlValue: SQLValue { .real(self) }
}

extension String: SQLStorable {
  package init?(sqlValue value: SQLValue) {
    guard case .text(let text) = value else { return nil }
    self = text
  }

  package var sqlValue: SQLValue { .text(self) }
}

/// Bytes.
extension Array: SQLStorable where Element == UInt8 {
  package init?(sqlValue value: SQLValue) {
    guard case .blob(let bytes) = value else { return nil }
    self = bytes
  }

  package var sqlValue: SQLValue { .blob(self) }
}

/// An enumeration of texts is stored as its text.
extension SQLStorable where Self: RawRepresentable<String> {
  package init?(sqlValue value: SQLValue) {
    guard case .text(let text) = value else { return nil }
    self.init(rawValue: text)
  }

  package var sqlValue: SQLValue { .text(rawValue) }
}
