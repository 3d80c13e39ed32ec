import Domain
import FoundationEssentials
import Glibc
import HTTPClient
import Texts
import Web

/// The daemon, as the commands see it: its API over the control socket.
struct Gateway: Sendable {
  let channel: ControlChannel
  let language: Language

  /// The socket is `--socket`, else `SOUNDGATE_SOCKET`, else the usual one.
  init(_ call: Call) {
    let variable = getenv("SOUNDGATE_SOCKET").map { String(cString: $0) }
    channel = ControlChannel(
      socket: call.arguments["socket"] ?? variable ?? Configuration.Control.defaultSocket)
    language = call.terminal.language
  }

  init(socket: String, language: Language) {
    channel = ControlChannel(socket: socket)
    self.language = language
  }

  /// Asks, and answers the body of a success; a refusal or a fault is thrown in the daemon's words.
  @discardableResult
  func send(_ method: String, _ path: String, body: (any Encodable)? = nil) async throws -> [UInt8]
  {
    var headers = [(name: "Accept-Language", value: language.rawValue)]
    var bytes: [UInt8] = []
    if let body {
      headers.append((name: "Content-Type", value: "application/json"))
      bytes = try API.encode(body)
    }
    let answer = try await channel.send(
      CourierRequest(method: method, url: path, headers: headers, body: bytes),
      within: Self.patience(method, path))
    guard (200..<300).contains(answer.status) else { throw Self.failure(answer) }
    return answer.body
  }

  /// How long an answer may take. A command to an enrolment may wait for the sensor and for the broker,
  /// each up to deadlines of its own that the configuration can stretch; a sensor that is reset or
  /// removed, for acknowledgements of the broker and of its own; its history, for a slow disk.
  private static func patience(_ method: String, _ path: String) -> Duration {
    if path.hasPrefix("/sensors/") { return .seconds(60) }
    let isEnrolment = path.hasPrefix("/enrolments") || path.hasPrefix("/onboarding")
    return isEnrolment && method != "GET" ? .seconds(300) : ControlChannel.patience
  }

  func get<Value: Decodable>(_ path: String) async throws -> Value {
    try Self.read(try await send("GET", path))
  }

  func post<Value: Decodable>(
    _ path: String, _ body: (any Encodable)? = nil
  ) async throws -> Value {
    try Self.read(try await send("POST", path, body: body))
  }

  /// Server-sent events, until the daemon ends the stream or the reader stops.
  func events(_ path: String) async throws -> AsyncThrowingStream<ServerEvent, any Error> {
    let request = CourierRequest(
      method: "GET", url: path, headers: [(name: "Accept-Language", value: language.rawValue)])
    switch try await channel.lines(request) {
    case .refused(let answer): throw Self.failure(answer)
    case .lines(let lines): return ServerEvent.stream(from: lines)
    }
  }

  static func read<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
    do {
      return try API.decode(from: bytes)
    } catch {
      throw Fault(.internalFault, "the daemon's answer is not what this version expects")
    }
  }

  static func failure(_ answer: CourierResponse) -> any Error {
    guard let failure = try? API.decode(API.Failure.self, from: answer.body) else {
      return Fault(.internalFault, "status \(answer.status)")
    }
    let same = { (text: String) in Phrase(en: text, fr: text) }
    return Failure(
      code: Code(failure.error.code) ?? .internalFault, message: same(failure.error.message),
      hint: failure.error.hint.map(same))
  }
}

extension String {
  /// The text as one segment of a path or a value of a query (RFC 3986, unreserved characters kept).
  var percentEncoded: String {
    var result = ""
    for byte in utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
