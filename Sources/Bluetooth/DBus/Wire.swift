import CDBus
import Dispatch
import Glibc

extension DBus {
  /// Owns one private libdbus connection. Once it is authenticated nothing blocks.
  struct Wire: ~Copyable {
    private let pointer: OpaquePointer

    /// - Throws: `BadAddress`, `NoServer` and the like: nobody listens at `address`.
    init(address: String) throws(BusError) {
      guard !address.utf8.contains(0) else { throw .standard(.badAddress) }
      var error = DBusError()
      dbus_error_init(&error)
      defer { dbus_error_free(&error) }
      guard let pointer = dbus_connection_open_private(address, &error) else {
        throw BusError(
          name: error.name.map { String(cString: $0) } ?? BusError.Standard.failed.rawValue,
          message: error.message.map { String(cString: $0) } ?? "")
      }
      // Else libdbus ends the process when the bus goes away.
      dbus_connection_set_exit_on_disconnect(pointer, 0)
      self.pointer = pointer
    }

    deinit {
      dbus_connection_close(pointer)
      dbus_connection_unref(pointer)
    }

    /// Authenticates; this blocks, for `patience` at most.
    ///
    /// libdbus reads or writes in turns while it authenticates and does not say which comes next, so
    /// that only its own waiting serves: watching the socket for both would turn for as long as a
    /// bus that hangs does not answer.
    ///
    /// - Throws: `TimedOut`; `AccessDenied` when the bus does not let us in.
    func authenticate(patience: Duration) throws(BusError) {
      let end = ContinuousClock.now + patience
      while dbus_connection_get_is_authenticated(pointer) == 0 {
        let left = ContinuousClock.now.duration(to: end)
        guard left > .zero else { throw .standard(.timedOut, "the bus does not answer") }
        guard dbus_connection_read_write(pointer, Int32(left / .milliseconds(1)) + 1) != 0 else {
          throw .standard(.accessDenied, "the bus does not let us in")
        }
      }
    }

    /// The socket, which stays libdbus's.
    var descriptor: Int32? {
      var descriptor: Int32 = -1
      return dbus_connection_get_unix_fd(pointer, &descriptor) != 0 ? descriptor : nil
    }

    var hasUnsent: Bool { dbus_connection_has_messages_to_send(pointer) != 0 }

    /// Queues a message and writes what the socket takes now.
    ///
    /// - Returns: the serial that a reply will bear.
    func send(_ message: borrowing Message) throws(BusError) -> UInt32 {
      var serial: UInt32 = 0
      guard dbus_connection_send(pointer, message.pointer, &serial) != 0 else {
        throw .standard(.noMemory)
      }
      return serial
    }

    /// Reads and writes what can be, without waiting.
    func exchange() {
      dbus_connection_read_write(pointer, 0)
    }

    func next() -> Message.Content? {
      dbus_connection_pop_message(pointer).map { Message(taking: $0).content() }
    }
  }

  /// Calls back on a queue whenever a socket is ready, until it is dropped.
  ///
  /// It watches a duplicate of the descriptor, which it closes itself once the kernel's watch is
  /// gone, so that libdbus may close its own whenever it likes.
  struct SocketWatch: ~Copyable {
    enum Readiness { case reading, writing }

    private let source: any DispatchSourceProtocol

    init(
      _ readiness: Readiness, of descriptor: Int32, on queue: DispatchQueue,
      _ handler: @escaping @Sendable () -> Void
    ) throws(BusError) {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw .standard(.failed, "no file descriptor left") }
      switch readiness {
      case .reading: source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: queue)
      case .writing: source = DispatchSource.makeWriteSource(fileDescriptor: copy, queue: queue)
      }
      source.setEventHandler(handler: handler)
      source.setCancelHandler { close(copy) }
      source.activate()
    }

    deinit { source.cancel() }
  }
}
