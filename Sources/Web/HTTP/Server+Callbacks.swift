import CMicroHTTPD
import Domain

/// The C side of the server. libmicrohttpd calls these from `MHD_run`, that is on the server's queue,
/// so entering the actor is a matter of saying so.
///
/// What is no HTTP, such as a bad `Content-Length`, never gets here: libmicrohttpd answers it itself
/// with a page of its own, which it has no option to replace.
extension Server {
  /// What libmicrohttpd hands back to each callback; good until `stop()`.
  nonisolated var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Called for the head, for each piece of the body, at its end, and again after a resumption.
  static func access(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ url: UnsafePointer<CChar>?, _ method: UnsafePointer<CChar>?,
    _ piece: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) -> MHD_Result {
    guard let context, let connection, let size, let slot else { return .NO }
    let server = Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
    guard let known = slot.pointee else {
      let head = RequestHead(
        method: method.map { String(cString: $0) } ?? "",
        path: url.map { String(cString: $0) } ?? "",
        query: values(of: connection, .GET_ARGUMENT_KIND) { $0 },
        headers: values(of: connection, .HEADER_KIND) { $0.lowercased() },
        peer: PeerName.read(from: soundgate_mhd_socket(connection)))
      let exchange = Exchange(connection: connection, request: head)
      slot.pointee = Unmanaged.passRetained(exchange).toOpaque()
      server.enter(exchange) { $0.begin($1) }
      return exchange.isHopeless ? queue(.tooLarge, on: exchange) : .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if size.pointee > 0 {
      defer { size.pointee = 0 }
      return exchange.take(UnsafeRawBufferPointer(start: piece, count: size.pointee)) ? .YES : .NO
    }
    if exchange.isTooLarge { return queue(.tooLarge, on: exchange) }
    if let response = exchange.response { return queue(response, on: exchange) }
    server.enter(exchange) { $0.work(on: $1) }
    return .YES
  }

  static func completed(
    _ context: UnsafeMutableRawPointer?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
  ) {
    guard let context, let known = slot?.pointee else { return }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    slot?.pointee = nil
    let server = Unmanaged<Server>.fromOpaque(context).takeUnretainedValue()
    server.enter(exchange) { $0.end($1) }
  }

  /// An exchange lives on the server's queue, where we are: the compiler cannot see that.
  private nonisolated func enter(
    _ exchange: Exchange, _ body: @Sendable (isolated Server, Exchange) -> Void
  ) {
    nonisolated(unsafe) let exchange = exchange
    assumeIsolated { body($0, exchange) }
  }

  private static func queue(_ response: Response, on exchange: Exchange) -> MHD_Result {
    let answer: OpaquePointer?
    switch response.body {
    case .bytes(var bytes):
      answer = bytes.withUnsafeMutableBytes {
        MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
      }
    case .stream:
      answer = MHD_create_response_from_callback(
        UInt64.max, 16 << 10, { Server.read($0, $2, $3) },
        Unmanaged.passRetained(exchange).toOpaque(),
        { context in
          if let context { Unmanaged<Exchange>.fromOpaque(context).release() }
        })
    }
    guard let answer else { return .NO }
    defer { MHD_destroy_response(answer) }
    for (name, value) in response.headers { MHD_add_response_header(answer, name, value) }
    return MHD_queue_response(exchange.connection, UInt32(response.status), answer)
  }

  /// Fills a buffer from a stream; with nothing to send the connection is suspended until there is.
  private static func read(
    _ context: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) -> Int {
    let endOfStream = -1
    guard let context, let buffer else { return endOfStream }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    guard let count = exchange.stream?.read(into: buffer, capacity: capacity) else {
      return endOfStream
    }
    if count == 0 { exchange.suspend() }
    return count
  }

  /// The arguments or headers of a request; of a repeated name, the last.
  private static func values(
    of connection: OpaquePointer, _ kind: MHD_ValueKind, name: (String) -> String
  ) -> [String: String] {
    var pairs: [(String, String)] = []
    withUnsafeMutablePointer(to: &pairs) { target in
      _ = MHD_get_connection_values(
        connection, kind,
        { target, _, key, value in
          if let target, let key {
            target.assumingMemoryBound(to: [(String, String)].self).pointee
              .append((String(cString: key), value.map { String(cString: $0) } ?? ""))
          }
          return .YES
        }, target)
    }
    return pairs.reduce(into: [:]) { $0[name($1.0)] = $1.1 }
  }
}

extension Response {
  fileprivate static let tooLarge: Response = {
    let text = """
      {"error":{"code":"SG-INPUT-001","message":"the body is larger than 64 KiB"}}
      """
    return .json(Array(text.utf8), status: 413)
  }()
}
