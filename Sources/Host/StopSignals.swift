import Dispatch
import Glibc

/// The signals that ask the process to stop, as a stream instead of an interruption.
package enum StopSignals {
  /// The numbers of the signals, as they arrive; the default action is switched off from this call on.
  ///
  /// When the stream is let go of, the default action comes back: a second Ctrl-C then ends a process
  /// whose orderly stop hangs.
  package static func arrivals(
    of numbers: [Int32] = [SIGTERM, SIGINT]
  ) -> AsyncStream<Int32> {
    AsyncStream(bufferingPolicy: .bufferingNewest(numbers.count)) { continuation in
      for number in numbers {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
          continuation.yield(number)
          // Nobody else keeps the source; it lives as long as the process.
          _ = source
        }
        source.resume()
      }
      continuation.onTermination = { _ in
        for number in numbers { signal(number, SIG_DFL) }
      }
    }
  }

  /// Makes a write to a socket that the other side closed an error, not the end of the process.
  package static func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }
}
