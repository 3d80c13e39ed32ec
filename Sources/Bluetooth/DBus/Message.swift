import CDBus

extension DBus {
  /// Owns one libdbus message.
  struct Message: ~Copyable {
    let pointer: OpaquePointer

    init(taking pointer: OpaquePointer) { self.pointer = pointer }

    deinit { dbus_message_unref(pointer) }

    /// - Throws: `InvalidArgs` when a name, a path or a value is not allowed on the bus.
    static func call(_ call: Call) throws(BusError) -> Message {
      guard isValid(call.destination, dbus_validate_bus_name) else { throw .invalid("bus name") }
      try check(path: call.path, interface: call.interface, member: call.member)
      let message = try Message(
        allocated: dbus_message_new_method_call(
          call.destination, call.path, call.interface, call.member))
      dbus_message_set_auto_start(message.pointer, 0)
      try Codec.append(call.body, to: message)
      return message
    }

    static func signal(_ signal: Signal) throws(BusError) -> Message {
      try check(path: signal.path, interface: signal.interface, member: signal.member)
      let message = try Message(
        allocated: dbus_message_new_signal(signal.path, signal.interface, signal.member))
      try Codec.append(signal.body, to: message)
      return message
    }

    static func answer(to call: IncomingCall, _ body: [Value]) throws(BusError) -> Message {
      let message = try Message(allocated: dbus_message_new(DBUS_MESSAGE_TYPE_METHOD_RETURN))
      try message.address(to: call)
      try Codec.append(body, to: message)
      return message
    }

    static func refusal(of call: IncomingCall, _ error: BusError) throws(BusError) -> Message {
      guard isValid(error.name, dbus_validate_error_name) else { throw .invalid("error name") }
      let message = try Message(allocated: dbus_message_new(DBUS_MESSAGE_TYPE_ERROR))
      try message.address(to: call)
      guard dbus_message_set_error_name(message.pointer, error.name) != 0 else {
        throw .standard(.noMemory)
      }
      try Codec.append([.string(error.message)], to: message)
      return message
    }

    private init(allocated pointer: OpaquePointer?) throws(BusError) {
      guard let pointer else { throw .standard(.noMemory) }
      self.pointer = pointer
    }

    private func address(to call: IncomingCall) throws(BusError) {
      dbus_message_set_no_reply(pointer, 1)
      guard dbus_message_set_reply_serial(pointer, call.serial) != 0,
        dbus_message_set_destination(pointer, call.sender) != 0
      else { throw .standard(.noMemory) }
    }

    private static func check(
      path: String, interface: String, member: String
    ) throws(BusError) {
      guard isValid(path, dbus_validate_path) else { throw .invalid("object path") }
      guard isValid(interface, dbus_validate_interface) else { throw .invalid("interface") }
      guard isValid(member, dbus_validate_member) else { throw .invalid("member") }
    }
  }
}

/// What a received message says.
extension DBus.Message {
  enum Content {
    case call(DBus.IncomingCall)
    case reply(to: UInt32, Result<[DBus.Value], BusError>)
    case signal(DBus.Signal)
    /// libdbus's own word that the socket is gone.
    case disconnected
    /// A kind or a value we do not represent.
    case unreadable
  }

  func content() -> Content {
    let replyTo = dbus_message_get_reply_serial(pointer)
    let body = Codec.body(of: self)
    switch dbus_message_get_type(pointer) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL:
      guard let body else { return .unreadable }
      return .call(
        DBus.IncomingCall(
          sender: sender, path: path, interface: interface, member: member, body: body,
          expectsReply: dbus_message_get_no_reply(pointer) == 0,
          serial: dbus_message_get_serial(pointer)))
    case DBUS_MESSAGE_TYPE_METHOD_RETURN:
      guard let body else { return .reply(to: replyTo, .failure(.invalid("unreadable reply"))) }
      return .reply(to: replyTo, .success(body))
    case DBUS_MESSAGE_TYPE_ERROR:
      let name = text(dbus_message_get_error_name(pointer))
      return .reply(
        to: replyTo, .failure(BusError(name: name, message: body?.first?.text ?? "")))
    case DBUS_MESSAGE_TYPE_SIGNAL:
      if interface == "org.freedesktop.DBus.Local" { return .disconnected }
      guard let body else { return .unreadable }
      return .signal(
        DBus.Signal(
          sender: sender, path: path, interface: interface, member: member, body: body))
    default:
      return .unreadable
    }
  }

  private var sender: String { text(dbus_message_get_sender(pointer)) }
  private var path: String { text(dbus_message_get_path(pointer)) }
  private var interface: String { text(dbus_message_get_interface(pointer)) }
  private var member: String { text(dbus_message_get_member(pointer)) }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}
