extension DBus {
  /// A method call to be sent.
  package struct Call: Hashable, Sendable {
    package var destination: String
    package var path: String
    package var interface: String
    package var member: String
    package var body: [Value]

    package init(
      _ destination: String, _ path: String, _ interface: String, _ member: String,
      _ body: [Value] = []
    ) {
      self.destination = destination
      self.path = path
      self.interface = interface
      self.member = member
      self.body = body
    }

    /// A call of the bus itself.
    static func bus(_ member: String, _ body: [Value] = []) -> Call {
      Call(busName, busPath, busName, member, body)
    }
  }

  /// A method call received. It is answered with `Connection.answer` or `Connection.refuse`, now,
  /// later or never.
  package struct IncomingCall: Hashable, Sendable {
    /// The caller's unique name.
    package let sender: String
    package let path: String
    /// Empty when the caller named none.
    package let interface: String
    package let member: String
    package let body: [Value]
    package let expectsReply: Bool
    let serial: UInt32
  }

  /// A signal, received or to be emitted.
  package struct Signal: Hashable, Sendable {
    /// The sender's unique name; empty on a signal of ours.
    package let sender: String
    package let path: String
    package let interface: String
    package let member: String
    package let body: [Value]

    package init(
      sender: String = "", path: String, interface: String, member: String, body: [Value] = []
    ) {
      self.sender = sender
      self.path = path
      self.interface = interface
      self.member = member
      self.body = body
    }
  }

  /// What becomes of a service one follows.
  package enum ServiceEvent: Hashable, Sendable {
    /// The unique name that owns the service now; nil when nobody does. Always the first event.
    case owner(String?)
    /// A signal of the present owner.
    case signal(Signal)
    /// What `Connection.mark` put here.
    case mark(Int)
  }
}
