import Domain
import Foundation
import HTTPClient

/// The daemon's API on its socket, for these tests.
struct ControlSocket: Sendable {
  private let channel: ControlChannel

  init(_ path: String) { channel = ControlChannel(socket: path) }

  /// Refused by the daemon.
  struct Refused: Error {
    let status: Int
    let text: String
  }

  @discardableResult
  func send(_ method: String, _ path: String, _ body: [String: String]? = nil) async throws -> Data
  {
    let json = try body.map { Array(try JSONEncoder().encode($0)) } ?? []
    let answer = try await channel.send(
      CourierRequest(
        method: method, url: path, headers: [("Content-Type", "application/json")], body: json))
    guard (200..<300).contains(answer.status) else {
      throw Refused(status: answer.status, text: String(decoding: answer.body, as: UTF8.self))
    }
    return Data(answer.body)
  }

  func get<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value
  {
    try JSONDecoder().decode(type, from: try await send("GET", path))
  }

  func post<Value: Decodable>(
    _ path: String, _ body: [String: String] = [:], as type: Value.Type = Value.self
  ) async throws -> Value {
    try JSONDecoder().decode(type, from: try await send("POST", path, body))
  }

  /// The data of server-sent events, until the reader or the daemon ends.
  func events<Value: Decodable & Sendable>(
    _ path: String, as type: Value.Type = Value.self
  ) async throws -> AsyncThrowingStream<Value, any Error> {
    let answer = try await channel.lines(CourierRequest(method: "GET", url: path))
    switch answer {
    case .refused(let answer):
      throw Refused(status: answer.status, text: String(decoding: answer.body, as: UTF8.self))
    case .lines(let lines):
      let (stream, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
      let pump = Task {
        do {
          for try await line in lines where line.hasPrefix("data: ") {
            continuation.yield(
              try JSONDecoder().decode(Value.self, from: Data(line.dropFirst(6).utf8)))
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in pump.cancel() }
      return stream
    }
  }
}
