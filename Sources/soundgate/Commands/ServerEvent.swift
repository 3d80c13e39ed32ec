/// One server-sent event (HTML Living Standard, 9.2), as far as our daemon uses the form.
struct ServerEvent: Sendable, Equatable {
  let name: String
  let data: [UInt8]

  /// Puts the lines of a stream together into events; comments are left out.
  static func stream(
    from lines: AsyncThrowingStream<String, any Error>
  ) -> AsyncThrowingStream<ServerEvent, any Error> {
    let (events, continuation) = AsyncThrowingStream.makeStream(of: ServerEvent.self)
    let pump = Task {
      var name = "message"
      do {
        for try await line in lines {
          if let text = value(of: "event", in: line) {
            name = text
          } else if let text = value(of: "data", in: line) {
            continuation.yield(ServerEvent(name: name, data: Array(text.utf8)))
          } else if line.isEmpty {
            name = "message"
          }
        }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in pump.cancel() }
    return events
  }

  private static func value(of field: String, in line: String) -> String? {
    guard line.hasPrefix("\(field): ") else { return nil }
    return String(line.dropFirst(field.utf8.count + 2))
  }
}
