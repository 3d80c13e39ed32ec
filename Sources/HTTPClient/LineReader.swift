import Domain

/// Cuts a body into lines as it comes, and says once what the answer is.
final class LineReader {
  private let lines: AsyncThrowingStream<String, any Error>.Continuation
  /// Given away with the answer: a stream nobody else holds must end when its reader lets go of it.
  private var stream: AsyncThrowingStream<String, any Error>?
  private var answer: ((Result<ControlChannel.Lines, Fault>) -> Void)?
  private var head = ResponseHead()
  /// What came since the last line break; of a refusal, all of it.
  private var rest: [UInt8] = []

  /// - Parameter interrupt: raised when nobody reads the lines any more.
  init(_ interrupt: Interrupt, answer: @escaping (Result<ControlChannel.Lines, Fault>) -> Void) {
    let (stream, lines) = AsyncThrowingStream<String, any Error>.makeStream(
      bufferingPolicy: .unbounded)
    lines.onTermination = { _ in interrupt.raise() }
    self.stream = stream
    self.lines = lines
    self.answer = answer
  }

  func take(_ head: ResponseHead) {
    self.head = head
    if head.status == 200, let stream { say(.success(.lines(stream))) }
  }

  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    rest += piece
    guard head.status == 200 else { return true }
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      lines.yield(String(decoding: rest[..<end], as: UTF8.self))
      rest.removeSubrange(...end)
    }
    return true
  }

  func finish() {
    say(.success(.refused(.init(status: head.status, headers: head.headers, body: rest))))
    lines.finish()
  }

  func finish(throwing fault: Fault) {
    say(.failure(fault))
    lines.finish(throwing: fault)
  }

  private func say(_ result: Result<ControlChannel.Lines, Fault>) {
    answer?(result)
    answer = nil
    stream = nil
  }
}
