import Domain
import FoundationEssentials
import Glibc
import Host

/// Who listens on a TCP port of this machine, as `ss -ltnpe` would say.
package struct PortOwner: Hashable, Sendable, CustomStringConvertible {
  package let uid: uid_t
  /// Nil when it is another user's process and we may not ask.
  package let pid: pid_t?
  package let program: String?

  package init(uid: uid_t, pid: pid_t? = nil, program: String? = nil) {
    self.uid = uid
    self.pid = pid
    self.program = program
  }

  /// `mosquitto (process 812)`.
  package var description: String {
    switch (program, pid) {
    case (let program?, let pid?): "\(program) (process \(pid))"
    case (nil, let pid?): "process \(pid)"
    default: "a process of user \(uid)"
    }
  }

  /// - Parameter address: nil for whichever address.
  /// - Returns: nil when nobody listens.
  package static func listening(on port: Int, at address: IPv4Address? = nil) -> PortOwner? {
    let sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { table -> [Socket] in
      guard let content = try? Files.read(table, atMost: 16 << 20) else { return [] }
      return self.sockets(
        listeningOn: port, at: address, in: String(decoding: content, as: UTF8.self))
    }
    guard let first = sockets.first else { return nil }
    let names = Set(sockets.map { "socket:[\($0.inode)]" })
    for pid in numbers(in: "/proc") where holds(pid, names) {
      let name = try? Files.read("/proc/\(pid)/comm", atMost: 4096)
      return PortOwner(
        uid: first.uid, pid: pid,
        program: name.map {
          String(decoding: $0.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        })
    }
    return PortOwner(uid: first.uid)
  }

  package struct Socket: Hashable, Sendable {
    package let inode: String
    package let uid: uid_t

    package init(inode: String, uid: uid_t) {
      self.inode = inode
      self.uid = uid
    }
  }

  /// The listening sockets of a port in a table as proc(5) describes it; those that listen on every
  /// address listen on `address` too.
  package static func sockets(
    listeningOn port: Int, at address: IPv4Address? = nil, in table: String
  ) -> [Socket] {
    let wanted = address.map { hexadecimal($0) }
    return table.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: " ")
      let listening = "0A"
      guard fields.count > 9, fields[3] == listening, let uid = uid_t(fields[7]),
        let colon = fields[1].lastIndex(of: ":"),
        Int(fields[1][fields[1].index(after: colon)...], radix: 16) == port
      else { return nil }
      let host = fields[1][..<colon]
      guard wanted == nil || host == wanted ?? "" || host.allSatisfy({ $0 == "0" }) else {
        return nil
      }
      return Socket(inode: String(fields[9]), uid: uid)
    }
  }

  /// The kernel prints the address's four bytes as one number of the machine.
  private static func hexadecimal(_ address: IPv4Address) -> String {
    let digits = String(inet_addr(address.text), radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private static func holds(_ pid: pid_t, _ names: Set<String>) -> Bool {
    let directory = "/proc/\(pid)/fd"
    return numbers(in: directory).contains { descriptor in
      var target = [CChar](repeating: 0, count: 128)
      let count = readlink("\(directory)/\(descriptor)", &target, target.count)
      guard count > 0 else { return false }
      return names.contains(
        String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
  }

  /// The entries of a directory that are numbers.
  private static func numbers(in directory: String) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.compactMap { Int32($0) }.sorted()
  }
}
