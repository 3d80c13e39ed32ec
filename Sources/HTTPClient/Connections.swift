import CCurl
import Domain

/// libcurl's open connections, reused from one transfer to the next; carries out one at a time.
struct Connections: ~Copyable {
  private let pointer: UnsafeMutableRawPointer

  /// How a transfer ended.
  enum Outcome {
    case complete
    /// The receiver of the bytes wanted no more.
    case enough
    case interrupted
    case failed(CURLcode)
  }

  /// Where the bytes of a transfer go; lives on the stack of `carryOut`.
  struct Sink {
    var head = ResponseHead()
    let onHead: (ResponseHead) -> Void
    /// False ends the transfer.
    let onBody: (UnsafeRawBufferPointer) -> Bool
    var isEnough = false
  }

  init() throws(Fault) {
    guard let pointer = curl_multi_init() else {
      throw Fault(.internalFault, "libcurl cannot be initialised")
    }
    self.pointer = pointer
  }

  deinit { curl_multi_cleanup(pointer) }

  /// Blocks until the transfer is over.
  func carryOut(
    _ request: borrowing EasyHandle, into sink: Sink, until interrupt: Interrupt
  ) -> Outcome {
    var sink = sink
    return withUnsafeMutablePointer(to: &sink) { sink in
      request.set(CURLOPT_HEADERDATA, to: UnsafeMutableRawPointer(sink))
      request.set(CURLOPT_WRITEDATA, to: UnsafeMutableRawPointer(sink))
      curl_set_function(request.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, sink in
        guard let sink = sink?.assumingMemoryBound(to: Sink.self) else { return 0 }
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        if sink.pointee.head.take(line) { sink.pointee.onHead(sink.pointee.head) }
        return line.count
      }
      curl_set_function(request.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, sink in
        guard let sink = sink?.assumingMemoryBound(to: Sink.self) else { return 0 }
        let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
        if sink.pointee.onBody(piece) { return piece.count }
        sink.pointee.isEnough = true
        return 0
      }
      let outcome = run(request, until: interrupt)
      return sink.pointee.isEnough ? .enough : outcome
    }
  }

  private func run(_ request: borrowing EasyHandle, until interrupt: Interrupt) -> Outcome {
    guard curl_multi_add_handle(pointer, request.pointer) == CURLM_OK else {
      return .failed(CURLE_FAILED_INIT)
    }
    defer { curl_multi_remove_handle(pointer, request.pointer) }
    while true {
      var running: Int32 = 0
      guard curl_multi_perform(pointer, &running) == CURLM_OK else {
        return .failed(CURLE_FAILED_INIT)
      }
      if running == 0 { break }
      var wake = curl_waitfd(
        fd: interrupt.descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
      curl_multi_poll(pointer, &wake, 1, 60_000, nil)
      if wake.revents != 0 { return .interrupted }
    }
    var left: Int32 = 0
    guard let message = curl_multi_info_read(pointer, &left) else {
      return .failed(CURLE_FAILED_INIT)
    }
    let code = message.pointee.data.result
    return code == CURLE_OK ? .complete : .failed(code)
  }
}
