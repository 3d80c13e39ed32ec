import Domain
import Glibc

/// The IPv4 addresses of this machine.
package enum LocalAddresses {
  /// Addresses of interfaces that are up, loopback last.
  package static func all() -> [IPv4Address] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var addresses: [IPv4Address] = []
    for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
      guard let entry = entry?.pointee, let address = entry.ifa_addr,
        entry.ifa_flags & UInt32(IFF_UP) != 0,
        Int32(address.pointee.sa_family) == AF_INET
      else { continue }
      var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
      let isWritten = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        inet_ntop(AF_INET, &$0.pointee.sin_addr, &text, socklen_t(text.count)) != nil
      }
      let digits = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      guard isWritten, let parsed = IPv4Address(String(decoding: digits, as: UTF8.self)) else {
        continue
      }
      addresses.append(parsed)
    }
    return addresses.filter { !$0.isLoopback } + addresses.filter(\.isLoopback)
  }

  /// Whether packets for `address` come to this machine.
  package static func include(_ address: IPv4Address) -> Bool {
    address.isLoopback || all().contains(address)
  }
}

extension IPv4Address {
  /// All of 127.0.0.0/8 is the machine itself.
  package var isLoopback: Bool { text.hasPrefix("127.") }
}
