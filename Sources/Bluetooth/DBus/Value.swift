extension DBus {
  /// One D-Bus value. Arrays and dictionaries carry their element signatures, so that an empty one
  /// still has a type; an array of bytes is kept as bytes.
  ///
  /// File descriptors (`h`) are not represented: nothing here passes or takes one.
  package enum Value: Hashable, Sendable {
    case byte(UInt8)
    case boolean(Bool)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(String)
    case signature(String)
    case bytes([UInt8])
    case array([Value], of: String)
    case dictionary([Value: Value], key: String, value: String)
    case structure([Value])
    indirect case variant(Value)
  }
}

extension DBus.Value {
  /// The type as D-Bus writes it, `a{sv}`.
  package var signature: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .bytes: "ay"
    case .array(_, let element): "a" + element
    case .dictionary(_, let key, let value): "a{" + key + value + "}"
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .variant: "v"
    }
  }

  /// An array of texts, `as`.
  package static func strings(_ texts: [String]) -> Self {
    .array(texts.map { .string($0) }, of: "s")
  }

  /// A table of properties or options, `a{sv}`.
  package static func properties(_ properties: [String: DBus.Value]) -> Self {
    var entries: [DBus.Value: DBus.Value] = [:]
    for (name, value) in properties { entries[.string(name)] = .variant(value) }
    return .dictionary(entries, key: "s", value: "v")
  }
}
