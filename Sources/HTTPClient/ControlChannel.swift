import CCurl
import Dispatch
import Domain
import Glibc
import Host

/// The command line's way to the daemon: HTTP over its Unix socket.
///
/// A request's `url` is the path and query, `/sensors?limit=5`.
package struct ControlChannel: Sendable {
  private let socket: String

  package init(socket: String) { self.socket = socket }

  /// What a request for lines met with.
  package enum Lines: Sendable {
    /// Any answer but 200, whole.
    case refused(CourierResponse)
    /// The body's lines as they come; ends with the answer, throws a `Fault` when the daemon leaves.
    case lines(AsyncThrowingStream<String, any Error>)
  }

  /// How long a daemon that is well may take over a plain question.
  package static let patience = Duration.seconds(15)

  /// Waits for the whole answer.
  ///
  /// Throws `SG-HOST-001` when no daemon answers there, or not within `patience`, `SG-HOST-002` when
  /// this user may not ask, `SG-HOST-004` when the task is cancelled.
  ///
  /// - Parameter patience: from the connection to the answer's last byte.
  package func send(
    _ request: CourierRequest, within patience: Duration = Self.patience
  ) async throws(Fault) -> CourierResponse {
    let interrupt = Interrupt()
    let result: Result<CourierResponse, Fault> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchange(request, patience, until: interrupt) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      interrupt.raise()
    }
    return try result.get()
  }

  private func exchange(
    _ request: CourierRequest, _ patience: Duration, until interrupt: Interrupt,
    answer: @escaping @Sendable (Result<CourierResponse, Fault>) -> Void
  ) {
    Self.queue().async {
      do throws(Fault) {
        var head = ResponseHead()
        var body: [UInt8] = []
        try carryOut(
          request,
          Connections.Sink(
            onHead: { head = $0 },
            onBody: {
              body += $0
              return true
            }), within: patience, until: interrupt)
        answer(
          .success(CourierResponse(status: head.status, headers: head.headers, body: body)))
      } catch {
        answer(.failure(error))
      }
    }
  }

  /// How long server-sent events may be silent: the daemon says every five seconds that it is there.
  package static let longestSilence = Duration.seconds(30)

  /// Asks for an answer without end, server-sent events; returns as soon as it has begun. It ends with
  /// `SG-HOST-001` when nothing has come for `longestSilence`.
  package func lines(
    _ request: CourierRequest, silentFor silence: Duration = Self.longestSilence
  ) async throws(Fault) -> Lines {
    let interrupt = Interrupt()
    let result: Result<Lines, Fault> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Self.queue().async {
          let reader = LineReader(interrupt) { continuation.resume(returning: $0) }
          do throws(Fault) {
            try carryOut(
              request,
              Connections.Sink(onHead: reader.take, onBody: reader.take), atMost: silence,
              until: interrupt)
            reader.finish()
          } catch {
            reader.finish(throwing: error)
          }
        }
      }
    } onCancel: {
      interrupt.raise()
    }
    return try result.get()
  }

  private static func queue() -> DispatchQueue { DispatchQueue(label: "control channel") }

  private func carryOut(
    _ request: CourierRequest, _ sink: Connections.Sink, within patience: Duration? = nil,
    atMost silence: Duration? = nil, until interrupt: Interrupt
  ) throws(Fault) {
    let handle = try EasyHandle(request, url: "http://localhost\(request.url)")
    handle.set(CURLOPT_UNIX_SOCKET_PATH, to: socket)
    handle.set(CURLOPT_PROXY, to: "")
    if let patience { handle.set(CURLOPT_TIMEOUT_MS, to: Int(max(1, patience.milliseconds))) }
    if let silence {
      handle.set(CURLOPT_LOW_SPEED_LIMIT, to: 1)
      handle.set(CURLOPT_LOW_SPEED_TIME, to: Int(max(1, silence / .seconds(1))))
    }
    switch try Connections().carryOut(handle, into: sink, until: interrupt) {
    case .complete, .enough: return
    case .interrupted: throw Fault(.cancelled, "the request was given up")
    case .failed(CURLE_COULDNT_CONNECT) where handle.systemError == EACCES:
      throw Fault(.socketDenied, "\(socket): \(systemMessage(EACCES))")
    case .failed(CURLE_OPERATION_TIMEDOUT):
      let span = (patience ?? silence).map { " within \($0)" } ?? ""
      throw Fault(.daemonUnreachable, "\(socket): no answer\(span)")
    case .failed(let code):
      let error = handle.systemError
      let words = error == 0 ? handle.words(for: code) : systemMessage(error)
      throw Fault(.daemonUnreachable, "\(socket): \(words)")
    }
  }
}
