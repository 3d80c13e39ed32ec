import CCurl
import Domain
import Host

/// Sends requests to the outside over libcurl, one after the other on a queue of its own.
///
/// Server certificates are always verified, redirects never followed, and of an answer's body the first
/// 64 KiB are kept. A proxy is used when the environment names one, as libcurl reads it.
package actor CurlCourier: Courier {
  private let executor = QueueExecutor(label: "courier")
  private let limits: Limits
  private let authority: String?
  private let userAgent: String
  private var connections: Connections?

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// How long a request may take.
  package struct Limits: Sendable {
    package var connect: Duration = .seconds(10)
    package var total: Duration = .seconds(30)
    /// A transfer slower than `leastRate` bytes per second for this long is given up.
    package var stalled: Duration = .seconds(15)
    package var leastRate = 10

    package init() {}
  }

  /// - Parameters:
  ///   - userAgent: `soundgate/<version>`.
  ///   - authority: a PEM file of the authorities that are trusted instead of the system's.
  package init(userAgent: String, limits: Limits = Limits(), authority: String? = nil) {
    self.userAgent = userAgent
    self.limits = limits
    self.authority = authority
  }

  /// Throws `SG-BACKEND-701` when the backend cannot be reached or hangs up, `702` when it takes too
  /// long, `703` when its certificate or TLS is not accepted, `SG-HOST-004` when the task is cancelled.
  package nonisolated func send(
    _ request: CourierRequest
  ) async throws(Fault) -> CourierResponse {
    let interrupt = Interrupt()
    let result: Result<CourierResponse, Fault> = await withTaskCancellationHandler {
      await carryOut(request, until: interrupt)
    } onCancel: {
      interrupt.raise()
    }
    return try result.get()
  }

  private func carryOut(
    _ request: CourierRequest, until interrupt: Interrupt
  ) -> Result<CourierResponse, Fault> {
    do throws(Fault) {
      return .success(try exchange(request, until: interrupt))
    } catch {
      return .failure(error)
    }
  }

  private func exchange(
    _ request: CourierRequest, until interrupt: Interrupt
  ) throws(Fault) -> CourierResponse {
    let handle = try EasyHandle(request, url: request.url)
    configure(handle)
    if connections == nil { connections = try Connections() }
    var gathered = GatheredBody(limit: 65_536)
    var head = ResponseHead()
    let sink = Connections.Sink(onHead: { head = $0 }, onBody: { gathered.take($0) })
    switch connections?.carryOut(handle, into: sink, until: interrupt) {
    case .complete, .enough:
      return CourierResponse(status: head.status, headers: head.headers, body: gathered.bytes)
    case .interrupted, nil:
      throw Fault(.cancelled, "the request was given up")
    case .failed(let code):
      throw Self.fault(code, handle.words(for: code))
    }
  }

  private func configure(_ handle: borrowing EasyHandle) {
    handle.set(CURLOPT_PROTOCOLS_STR, to: "http,https")
    handle.set(CURLOPT_FOLLOWLOCATION, to: 0)
    handle.set(CURLOPT_HTTP_VERSION, to: CURL_HTTP_VERSION_2TLS)
    handle.set(CURLOPT_SSL_VERIFYPEER, to: 1)
    handle.set(CURLOPT_SSL_VERIFYHOST, to: 2)
    if let authority { handle.set(CURLOPT_CAINFO, to: authority) }
    handle.set(CURLOPT_USERAGENT, to: userAgent)
    handle.set(CURLOPT_CONNECTTIMEOUT_MS, to: Int(limits.connect.milliseconds))
    handle.set(CURLOPT_TIMEOUT_MS, to: Int(limits.total.milliseconds))
    handle.set(CURLOPT_LOW_SPEED_LIMIT, to: limits.leastRate)
    handle.set(CURLOPT_LOW_SPEED_TIME, to: Int(limits.stalled / .seconds(1)))
  }

  private static func fault(_ code: CURLcode, _ words: String) -> Fault {
    switch code {
    case CURLE_OPERATION_TIMEDOUT:
      Fault(.backendTimeout, words)
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_SHUTDOWN_FAILED, CURLE_USE_SSL_FAILED, CURLE_SSL_CLIENTCERT:
      Fault(.backendTLS, words)
    default:
      Fault(.backendUnreachable, words)
    }
  }
}

/// The beginning of a body.
struct GatheredBody {
  let limit: Int
  private(set) var bytes: [UInt8] = []

  init(limit: Int) { self.limit = limit }

  /// False once there is more than the limit, which is dropped.
  mutating func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    bytes += piece.prefix(limit - bytes.count)
    return bytes.count < limit
  }
}
