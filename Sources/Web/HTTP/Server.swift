import CMicroHTTPD
import Dispatch
import Domain
import Glibc
import Host

/// The HTTP server on the control socket: libmicrohttpd driven from one queue through its epoll
/// descriptor, so an idle server costs nothing.
///
/// A request whose answer takes time is suspended; a task works the answer out and the connection is
/// resumed with it, so no request holds up another.
package actor Server {
  private let executor = QueueExecutor(label: "soundgate.http")
  private let answer: @Sendable (Request) async -> Response
  private let clock: any Clock<Duration>
  private var daemon: Daemon?
  private var watch: DescriptorWatch?
  private var timer: (any DispatchSourceTimer)?
  private var heartbeat: Task<Void, Never>?
  private var exchanges: [ObjectIdentifier: Exchange] = [:]
  private var path: String?
  private var isStopping = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameter clock: times the comments that keep event streams alive.
  package init(
    clock: any Clock<Duration> = ContinuousClock(),
    answer: @escaping @Sendable (Request) async -> Response
  ) {
    self.clock = clock
    self.answer = answer
  }

  /// Listens until `stop()`, which must come before the server is let go of.
  ///
  /// - Parameters:
  ///   - group: who may connect beside the daemon's own user.
  ///   - connections: more than so many at once wait to be accepted.
  ///   - idle: seconds after which a connection without a request under way is closed.
  package func start(
    path: String, group: String?, connections: UInt32 = 250, idle: UInt32 = 10
  ) throws(Fault) {
    let listener = try UnixListener(path: path, group: group)
    guard
      let pointer = soundgate_mhd_start(
        listener.take(), connections, idle, { Server.access($0, $1, $2, $3, $5, $6, $7) },
        context, { context, _, slot, _ in Server.completed(context, slot) }, context)
    else { throw Fault(.internalFault, "the HTTP server does not start") }
    self.path = path
    daemon = Daemon(pointer: pointer)
    watch = DescriptorWatch(soundgate_mhd_epoll(pointer), on: executor.queue) { [weak self] in
      self?.assumeIsolated { $0.run() }
    }
    run()
  }

  /// Ends every exchange and stops listening.
  package func stop() {
    guard daemon != nil else { return }
    isStopping = true
    watch = nil
    timer?.cancel()
    heartbeat?.cancel()
    // libmicrohttpd may not be stopped while a connection is suspended.
    for exchange in exchanges.values {
      exchange.work?.cancel()
      exchange.stream?.end()
      if exchange.response == nil { exchange.response = .stopping }
      exchange.resume()
    }
    if let pointer = daemon?.pointer { MHD_run(pointer) }
    daemon = nil
    exchanges = [:]
    if let path { unlink(path) }
  }

  /// Lets libmicrohttpd do what there is to do, and wakes it when it wants to be woken.
  private func run() {
    guard let pointer = daemon?.pointer else { return }
    MHD_run(pointer)
    timer?.cancel()
    timer = nil
    var milliseconds: UInt64 = 0
    guard MHD_get_timeout(pointer, &milliseconds) == MHD_Result.YES else { return }
    let timer = DispatchSource.makeTimerSource(queue: executor.queue)
    timer.schedule(deadline: .now() + .milliseconds(Int(min(milliseconds, 60_000))))
    timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.run() } }
    timer.resume()
    self.timer = timer
  }

  // MARK: Exchanges

  func begin(_ exchange: Exchange) { exchanges[ObjectIdentifier(exchange)] = exchange }

  func end(_ exchange: Exchange) {
    exchange.isDone = true
    exchange.work?.cancel()
    exchanges[ObjectIdentifier(exchange)] = nil
    if !exchanges.values.contains(where: { $0.stream != nil }) {
      heartbeat?.cancel()
      heartbeat = nil
    }
  }

  /// Starts the work on the answer; the connection waits suspended.
  func work(on exchange: Exchange) {
    guard !isStopping else {
      exchange.response = .stopping
      return
    }
    let head = exchange.request
    let request = Request(
      method: head.method, path: head.path, query: head.query, headers: head.headers,
      body: exchange.body, peer: head.peer)
    let id = ObjectIdentifier(exchange)
    exchange.suspend()
    exchange.work = Task { [answer, weak self] in
      let response = await answer(request)
      await self?.deliver(response, to: id)
    }
  }

  /// A late answer finds no exchange and is dropped.
  private func deliver(_ response: Response, to id: ObjectIdentifier) {
    guard let exchange = exchanges[id] else { return }
    exchange.response = response
    if case .stream(let chunks) = response.body {
      exchange.stream = OutgoingStream(
        takesComments: response.headers.contains {
          $0.name.lowercased() == "content-type" && $0.value.hasPrefix("text/event-stream")
        })
      startHeartbeat()
      exchange.work = Task { [weak self] in
        for await chunk in chunks { await self?.append(chunk, to: id) }
        await self?.endStream(of: id)
      }
    }
    exchange.resume()
    run()
  }

  private func append(_ chunk: [UInt8], to id: ObjectIdentifier) {
    guard let exchange = exchanges[id] else { return }
    exchange.stream?.append(chunk)
    exchange.resume()
    run()
  }

  private func endStream(of id: ObjectIdentifier) {
    guard let exchange = exchanges[id] else { return }
    exchange.stream?.end()
    exchange.resume()
    run()
  }

  /// A client that has left a quiet stream is noticed by writing to it: a comment every 15 s.
  private func startHeartbeat() {
    guard heartbeat == nil else { return }
    heartbeat = Task { [clock, weak self] in
      while (try? await clock.sleep(for: .seconds(15))) != nil { await self?.beat() }
    }
  }

  private func beat() {
    for exchange in exchanges.values {
      guard let stream = exchange.stream, stream.takesComments else { continue }
      stream.append(Array(": still here\n\n".utf8))
      exchange.resume()
    }
    run()
  }
}

extension Response {
  fileprivate static let stopping = Response(status: 503)
}

/// Owns libmicrohttpd's daemon and, with it, the listening socket.
private struct Daemon: ~Copyable {
  let pointer: OpaquePointer

  deinit { MHD_stop_daemon(pointer) }
}
