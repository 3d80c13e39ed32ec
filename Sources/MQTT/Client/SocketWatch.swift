import Dispatch
import Glibc

/// Tells when a socket can be read or written, while asked to.
///
/// Each source watches a duplicate of its own: libmosquitto closes its socket whenever it likes, and a
/// closed descriptor's number may be somebody else's by the time a source lets go of it.
final class SocketWatch {
  private let socket: Int32
  private let readable: any DispatchSourceRead
  private let writable: any DispatchSourceWrite

  /// Whether `readable` may be called. False at first.
  var isReading = false {
    didSet { Self.turn(readable, on: isReading, was: oldValue) }
  }

  /// Whether `writable` may be called. False at first.
  var isWriting = false {
    didSet { Self.turn(writable, on: isWriting, was: oldValue) }
  }

  /// - Parameters:
  ///   - readable, writable: called on `queue`, again and again for as long as it is so.
  init?(
    _ socket: Int32, on queue: DispatchQueue, readable onRead: @escaping @Sendable () -> Void,
    writable onWrite: @escaping @Sendable () -> Void
  ) {
    let forReading = Self.duplicate(socket)
    let forWriting = Self.duplicate(socket)
    guard forReading >= 0, forWriting >= 0 else {
      close(forReading)
      close(forWriting)
      return nil
    }
    self.socket = forReading
    readable = DispatchSource.makeReadSource(fileDescriptor: forReading, queue: queue)
    writable = DispatchSource.makeWriteSource(fileDescriptor: forWriting, queue: queue)
    readable.setEventHandler(handler: onRead)
    writable.setEventHandler(handler: onWrite)
    readable.setCancelHandler { close(forReading) }
    writable.setCancelHandler { close(forWriting) }
  }

  /// A suspended source can neither be cancelled to the end nor released.
  deinit {
    readable.cancel()
    writable.cancel()
    Self.turn(readable, on: true, was: isReading)
    Self.turn(writable, on: true, was: isWriting)
  }

  private static func duplicate(_ socket: Int32) -> Int32 { fcntl(socket, F_DUPFD_CLOEXEC, 0) }

  private static func turn(_ source: any DispatchSourceProtocol, on: Bool, was: Bool) {
    switch (was, on) {
    case (false, true): source.resume()
    case (true, false): source.suspend()
    default: break
    }
  }

  /// Whether there is something to read this very moment.
  var hasInput: Bool {
    var question = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&question, 1, 0) == 1
  }

  /// Whether there is nothing more to read, and never will be.
  var isClosedByPeer: Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
  }

  /// Whether the socket has, or had, somebody at its other end.
  var isConnected: Bool {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(socket, $0, &size) == 0
      }
    }
  }

  /// The outcome of a connection attempt, an `errno`; 0 when it came about.
  var pendingError: Int32 {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0 else { return errno }
    return error
  }
}
