import CDBus

/// What libdbus must never see, because it answers a bad argument with `abort()`.
extension DBus.Value {
  /// The limits of the D-Bus Specification: 64 MiB in an array, 64 levels of nesting.
  private static var largestArray: Int { 1 << 26 }
  private static var deepestNesting: Int { 64 }

  /// - Throws: `InvalidArgs` naming what is wrong.
  func check() throws(BusError) {
    try check(depth: 0)
  }

  private func check(depth: Int) throws(BusError) {
    guard depth < Self.deepestNesting else { throw .invalid("nested too deep") }
    switch self {
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double: return
    case .string(let text):
      guard !text.utf8.contains(0) else { throw .invalid("a text holds a NUL") }
    case .objectPath(let path):
      guard DBus.isValid(path, dbus_validate_path) else { throw .invalid("not an object path") }
    case .signature(let signature):
      guard DBus.isValid(signature, dbus_signature_validate) else {
        throw .invalid("not a signature")
      }
    case .bytes(let bytes):
      guard bytes.count <= Self.largestArray else { throw .invalid("too many bytes") }
    case .array(let elements, let element):
      try Self.check(type: element)
      for value in elements { try value.check(is: element, depth: depth) }
    case .dictionary(let entries, let key, let value):
      try Self.check(type: "a{" + key + value + "}")
      for entry in entries {
        try entry.key.check(is: key, depth: depth)
        try entry.value.check(is: value, depth: depth)
      }
    case .structure(let members):
      guard !members.isEmpty else { throw .invalid("an empty structure") }
      for member in members { try member.check(depth: depth + 1) }
    case .variant(let content):
      try content.check(depth: depth + 1)
      try Self.check(type: content.signature)
    }
  }

  private func check(is type: String, depth: Int) throws(BusError) {
    guard signature == type else { throw .invalid("\(signature) among \(type)") }
    try check(depth: depth + 1)
  }

  private static func check(type: String) throws(BusError) {
    guard DBus.isValid(type, dbus_signature_validate_single) else {
      throw .invalid("not a type")
    }
  }
}

extension DBus {
  /// Whether libdbus's own check of a name, path or signature accepts the text.
  static func isValid(
    _ text: String,
    _ validate: (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t
  ) -> Bool {
    !text.utf8.contains(0) && text.withCString { validate($0, nil) != 0 }
  }
}

extension BusError {
  static func invalid(_ what: String) -> BusError { .standard(.invalidArguments, what) }
}
