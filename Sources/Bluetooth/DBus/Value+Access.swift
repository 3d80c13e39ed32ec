/// Reading a value that came from outside: each answers nil when the value is of another type.
extension DBus.Value {
  /// The value inside a variant, else the value itself.
  package var content: DBus.Value {
    if case .variant(let inner) = self { inner.content } else { self }
  }

  package var boolean: Bool? {
    if case .boolean(let value) = content { value } else { nil }
  }

  /// Any integer type, when it fits.
  package var integer: Int? {
    switch content {
    case .byte(let value): Int(value)
    case .int16(let value): Int(value)
    case .uint16(let value): Int(value)
    case .int32(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  /// A text, an object path or a signature.
  package var text: String? {
    switch content {
    case .string(let text), .objectPath(let text), .signature(let text): text
    default: nil
    }
  }

  package var bytes: [UInt8]? {
    if case .bytes(let bytes) = content { bytes } else { nil }
  }

  package var elements: [DBus.Value]? {
    switch content {
    case .array(let elements, _), .structure(let elements): elements
    default: nil
    }
  }

  /// The texts of an `as` or `ao`.
  package var texts: [String]? { elements?.compactMap(\.text) }

  package var entries: [DBus.Value: DBus.Value]? {
    if case .dictionary(let entries, _, _) = content { entries } else { nil }
  }

  /// A dictionary keyed by texts or paths, its values freed of their variants.
  package var table: [String: DBus.Value]? {
    guard let entries else { return nil }
    var table: [String: DBus.Value] = [:]
    for (key, value) in entries {
      guard let key = key.text else { return nil }
      table[key] = value.content
    }
    return table
  }
}
