import CDBus

extension DBus {
  /// One reader of one service's signals.
  struct Follower {
    let service: String
    let continuation: AsyncStream<ServiceEvent>.Continuation
    private var owner: Owner = .unknown

    private enum Owner: Equatable {
      case unknown
      case known(String?)
    }

    init(service: String, continuation: AsyncStream<ServiceEvent>.Continuation) {
      self.service = service
      self.continuation = continuation
    }

    static func rules(for service: String) -> [String] {
      [
        "type='signal',sender='\(busName)',member='NameOwnerChanged',arg0='\(service)'",
        "type='signal',sender='\(service)'",
      ]
    }

    /// The bus's answer to who owns the service. A change heard meanwhile is at least as new.
    mutating func begin(owner: String?) {
      guard self.owner == .unknown else { return }
      become(owner)
    }

    mutating func take(_ signal: Signal) {
      if let change = Self.ownerChange(signal), change.name == service {
        become(change.owner)
      } else if case .known(let owner?) = owner, signal.sender == owner {
        continuation.yield(.signal(signal))
      }
    }

    private mutating func become(_ owner: String?) {
      self.owner = .known(owner)
      continuation.yield(.owner(owner))
    }

    /// `NameOwnerChanged(name, old, new)`; an empty `new` means nobody.
    private static func ownerChange(_ signal: Signal) -> (name: String, owner: String?)? {
      guard signal.sender == busName, signal.member == "NameOwnerChanged",
        signal.body.count == 3, let name = signal.body[0].text, let owner = signal.body[2].text
      else { return nil }
      return (name, owner.isEmpty ? nil : owner)
    }
  }

  static func isBusName(_ text: String) -> Bool { isValid(text, dbus_validate_bus_name) }
}
