import Domain
import Foundation
import HTTPClient
import Testing
import Texts
import Web

/// The daemon's API, asked without the commands in between.
struct APIClient: Sendable {
  let socket: String

  /// The whole answer, whatever its status.
  func answer(_ path: String, language: Language = .english) async throws -> CourierResponse {
    try await ControlChannel(socket: socket).send(
      CourierRequest(method: "GET", url: path, headers: Self.headers(language), body: []))
  }

  /// The value of a success.
  func get<Value: Decodable>(
    _ path: String, language: Language = .english
  ) async throws -> Value {
    let answer = try await answer(path, language: language)
    try #require(answer.status == 200, "\(path): \(answer.status)")
    return try API.decode(from: answer.body)
  }

  /// The data of the server-sent events of one name, as they come.
  func events<Value: Decodable & Sendable>(
    _ path: String, named name: String, as type: Value.Type = Value.self
  ) async throws -> AsyncThrowingStream<Value, any Error> {
    let request = CourierRequest(
      method: "GET", url: path, headers: Self.headers(.english), body: [])
    guard case .lines(let lines) = try await ControlChannel(socket: socket).lines(request) else {
      throw Fault(.internalFault, "\(path) gives no events")
    }
    return AsyncThrowingStream { continuation in
      let pump = Task {
        var isNamed = false
        do {
          for try await line in lines {
            if line.hasPrefix("event: ") { isNamed = line == "event: \(name)" }
            if isNamed, line.hasPrefix("data: ") {
              let data = Array(line.dropFirst("data: ".count).utf8)
              continuation.yield(try API.decode(type, from: data))
            }
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in pump.cancel() }
    }
  }

  /// Asks until the answer is `wanted`, at most a few thousand times, each a round trip.
  func wait<Value: Decodable>(
    _ path: String, until wanted: (Value) -> Bool
  ) async throws -> Value {
    for _ in 0..<5000 {
      let value: Value = try await get(path)
      if wanted(value) { return value }
      try Task.checkCancellation()
    }
    throw Fault(.internalFault, "\(path) never answered as wanted")
  }

  private static func headers(_ language: Language) -> [(name: String, value: String)] {
    [(name: "Accept-Language", value: language.rawValue)]
  }
}
