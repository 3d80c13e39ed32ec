import Texts

extension Response {
  /// A stream of server-sent events (HTML Living Standard, 9.2): one event per element, with a
  /// comment first so that the client sees at once that it is connected, one every five seconds so that
  /// it sees that it still is, and an `end` last.
  static func events<Element: Sendable, Value: Encodable & SendableMetatype>(
    _ elements: AsyncStream<Element>,
    _ event: @escaping @Sendable (Element) -> (name: String, value: Value)
  ) -> Response {
    let (chunks, continuation) = AsyncStream.makeStream(
      of: [UInt8].self, bufferingPolicy: .bufferingNewest(256))
    continuation.yield(Array(": connected\n\n".utf8))
    let pump = Task {
      for await element in elements {
        let (name, value) = event(element)
        guard let data = try? API.encode(value) else { continue }
        continuation.yield(Array("event: \(name)\ndata: ".utf8) + data + Array("\n\n".utf8))
      }
      continuation.yield(Array("event: end\ndata: {}\n\n".utf8))
      continuation.finish()
    }
    let pulse = Task {
      while (try? await Task.sleep(for: .seconds(5))) != nil {
        continuation.yield(Array(": alive\n\n".utf8))
      }
    }
    continuation.onTermination = { _ in
      pump.cancel()
      pulse.cancel()
    }
    return Response(
      status: 200,
      headers: [
        (name: "Content-Type", value: "text/event-stream"),
        (name: "Cache-Control", value: "no-store"),
      ],
      body: .stream(chunks))
  }
}
