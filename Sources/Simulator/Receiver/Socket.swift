import Dispatch
import Glibc
import Host

extension Receiver {
  /// A TCP socket on 127.0.0.1 that never blocks; closed with its last owner.
  final class Socket {
    private let descriptor: Int32
    private var source: (any DispatchSourceRead)?

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    convenience init(listeningOn port: UInt16) throws(FileError) {
      let place = "127.0.0.1:\(port)"
      let kind = Int32(
        SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      let descriptor = socket(AF_INET, kind, 0)
      guard descriptor >= 0 else { throw FileError("open a socket for", place) }
      self.init(descriptor)
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
      }
      guard isBound, listen(descriptor, 128) == 0 else { throw FileError("listen on", place) }
    }

    deinit {
      guard let source else {
        close(descriptor)
        return
      }
      source.cancel()
    }

    var port: UInt16 {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &address) {
        _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(descriptor, $0, &size)
        }
      }
      return UInt16(bigEndian: address.sin_port)
    }

    /// Calls back on `queue` whenever there is something to read or accept.
    func watch(on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
      let descriptor = descriptor
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler(handler: handler)
      source.setCancelHandler { close(descriptor) }
      source.activate()
      self.source = source
    }

    func accept() -> Socket? {
      let accepted = Glibc.accept(descriptor, nil, nil)
      guard accepted >= 0 else { return nil }
      _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
      _ = fcntl(accepted, F_SETFL, O_NONBLOCK)
      return Socket(accepted)
    }

    /// What has come; nil when the other side closed.
    func read() -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
      return count == 0 ? nil : Array(bytes[..<count])
    }

    /// False when not all of it went out; answers are short enough for the socket's buffer.
    func write(_ bytes: [UInt8]) -> Bool {
      send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }
  }
}
