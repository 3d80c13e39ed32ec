import CDBus

extension Codec {
  /// Appends `values` to a new message, having checked each: libdbus aborts the process on a text
  /// or a type it does not like.
  ///
  /// - Throws: `InvalidArgs` naming what is wrong, `NoMemory`.
  static func append(
    _ values: [DBus.Value], to message: borrowing DBus.Message
  ) throws(BusError) {
    for value in values { try value.check() }
    var iterator = DBusMessageIter()
    dbus_message_iter_init_append(message.pointer, &iterator)
    for value in values {
      guard append(value, to: &iterator) else { throw .standard(.noMemory) }
    }
  }

  private static func append(_ value: DBus.Value, to iterator: inout DBusMessageIter) -> Bool {
    switch value {
    case .byte(let number): basic(number, .byte, &iterator)
    case .boolean(let truth): basic(UInt32(truth ? 1 : 0), .boolean, &iterator)
    case .int16(let number): basic(number, .int16, &iterator)
    case .uint16(let number): basic(number, .uint16, &iterator)
    case .int32(let number): basic(number, .int32, &iterator)
    case .uint32(let number): basic(number, .uint32, &iterator)
    case .int64(let number): basic(number, .int64, &iterator)
    case .uint64(let number): basic(number, .uint64, &iterator)
    case .double(let number): basic(number, .double, &iterator)
    case .string(let text): append(text: text, .string, &iterator)
    case .objectPath(let text): append(text: text, .objectPath, &iterator)
    case .signature(let text): append(text: text, .signature, &iterator)
    case .bytes(let bytes):
      container(.array, "y", &iterator) { append(bytes: bytes, &$0) }
    case .array(let elements, let element):
      container(.array, element, &iterator) { inside in
        elements.allSatisfy { append($0, to: &inside) }
      }
    case .dictionary(let entries, let key, let value):
      container(.array, "{" + key + value + "}", &iterator) { inside in
        entries.allSatisfy { append(key: $0.key, value: $0.value, &inside) }
      }
    case .structure(let members):
      container(.structure, nil, &iterator) { inside in
        members.allSatisfy { append($0, to: &inside) }
      }
    case .variant(let content):
      container(.variant, content.signature, &iterator) { append(content, to: &$0) }
    }
  }

  private static func append(
    key: DBus.Value, value: DBus.Value, _ iterator: inout DBusMessageIter
  ) -> Bool {
    container(.dictionaryEntry, nil, &iterator) { entry in
      append(key, to: &entry) && append(value, to: &entry)
    }
  }

  private static func basic<Number: BitwiseCopyable>(
    _ number: Number, _ type: TypeCode, _ iterator: inout DBusMessageIter
  ) -> Bool {
    var number = number
    return dbus_message_iter_append_basic(&iterator, type.code, &number) != 0
  }

  private static func append(
    text: String, _ type: TypeCode, _ iterator: inout DBusMessageIter
  ) -> Bool {
    text.withCString { text in
      var text: UnsafePointer<CChar>? = text
      return dbus_message_iter_append_basic(&iterator, type.code, &text) != 0
    }
  }

  private static func append(bytes: [UInt8], _ iterator: inout DBusMessageIter) -> Bool {
    bytes.withUnsafeBufferPointer { buffer in
      // An empty Swift array may have no address, and libdbus insists on one.
      guard var start = buffer.baseAddress, !buffer.isEmpty else { return true }
      return dbus_message_iter_append_fixed_array(
        &iterator, TypeCode.byte.code, &start, Int32(buffer.count)) != 0
    }
  }

  private static func container(
    _ type: TypeCode, _ signature: String?, _ iterator: inout DBusMessageIter,
    _ fill: (inout DBusMessageIter) -> Bool
  ) -> Bool {
    var inside = DBusMessageIter()
    guard dbus_message_iter_open_container(&iterator, type.code, signature, &inside) != 0 else {
      return false
    }
    guard fill(&inside) else {
      dbus_message_iter_abandon_container(&iterator, &inside)
      return false
    }
    return dbus_message_iter_close_container(&iterator, &inside) != 0
  }
}
