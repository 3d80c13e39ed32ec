import CDBus

/// libdbus iterators to values and back.
///
/// libdbus has checked a received message before we see it (types, text, nesting up to 64), so
/// decoding only meets what it may not represent.
enum Codec {
  /// - Returns: nil when a value cannot be represented (a file descriptor).
  static func body(of message: borrowing DBus.Message) -> [DBus.Value]? {
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message.pointer, &iterator) != 0 else { return [] }
    return values(&iterator)
  }

  private static func values(_ iterator: inout DBusMessageIter) -> [DBus.Value]? {
    var values: [DBus.Value] = []
    while dbus_message_iter_get_arg_type(&iterator) != TypeCode.invalid.code {
      guard let value = value(&iterator) else { return nil }
      values.append(value)
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private static func value(_ iterator: inout DBusMessageIter) -> DBus.Value? {
    switch TypeCode(dbus_message_iter_get_arg_type(&iterator)) {
    case .byte: .byte(basic(&iterator, 0))
    case .boolean: .boolean(basic(&iterator, UInt32(0)) != 0)
    case .int16: .int16(basic(&iterator, 0))
    case .uint16: .uint16(basic(&iterator, 0))
    case .int32: .int32(basic(&iterator, 0))
    case .uint32: .uint32(basic(&iterator, 0))
    case .int64: .int64(basic(&iterator, 0))
    case .uint64: .uint64(basic(&iterator, 0))
    case .double: .double(basic(&iterator, 0))
    case .string: .string(text(&iterator))
    case .objectPath: .objectPath(text(&iterator))
    case .signature: .signature(text(&iterator))
    case .array: array(&iterator)
    case .structure: structure(&iterator)
    case .variant: variant(&iterator)
    case .dictionaryEntry, .fileDescriptor, .invalid, nil: nil
    }
  }

  private static func basic<Number: BitwiseCopyable>(
    _ iterator: inout DBusMessageIter, _ zero: Number
  ) -> Number {
    var number = zero
    dbus_message_iter_get_basic(&iterator, &number)
    return number
  }

  private static func text(_ iterator: inout DBusMessageIter) -> String {
    var text: UnsafePointer<CChar>?
    dbus_message_iter_get_basic(&iterator, &text)
    return text.map { String(cString: $0) } ?? ""
  }

  private static func structure(_ iterator: inout DBusMessageIter) -> DBus.Value? {
    var inside = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inside)
    return values(&inside).map { .structure($0) }
  }

  private static func variant(_ iterator: inout DBusMessageIter) -> DBus.Value? {
    var inside = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inside)
    return value(&inside).map { .variant($0) }
  }

  private static func array(_ iterator: inout DBusMessageIter) -> DBus.Value? {
    let element = TypeCode(dbus_message_iter_get_element_type(&iterator))
    let signature = signature(&iterator)
    var inside = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inside)
    switch element {
    case .byte: return .bytes(bytes(&inside))
    case .dictionaryEntry: return dictionary(&inside, signature: signature)
    default: return values(&inside).map { .array($0, of: String(signature.dropFirst())) }
    }
  }

  private static func bytes(_ inside: inout DBusMessageIter) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&inside, &start, &count)
    return Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  /// - Parameter signature: `a{` key value `}`; a key is one letter.
  private static func dictionary(
    _ inside: inout DBusMessageIter, signature: String
  ) -> DBus.Value? {
    let types = signature.dropFirst(2).dropLast()
    var entries: [DBus.Value: DBus.Value] = [:]
    while dbus_message_iter_get_arg_type(&inside) == TypeCode.dictionaryEntry.code {
      var entry = DBusMessageIter()
      dbus_message_iter_recurse(&inside, &entry)
      guard let key = value(&entry) else { return nil }
      dbus_message_iter_next(&entry)
      guard let value = value(&entry) else { return nil }
      entries[key] = value
      dbus_message_iter_next(&inside)
    }
    return .dictionary(entries, key: String(types.prefix(1)), value: String(types.dropFirst()))
  }

  private static func signature(_ iterator: inout DBusMessageIter) -> String {
    guard let signature = dbus_message_iter_get_signature(&iterator) else { return "" }
    defer { dbus_free(signature) }
    return String(cString: signature)
  }
}
