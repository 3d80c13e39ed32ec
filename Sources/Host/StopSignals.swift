import Dispatch
import Glibc

/// The signals that ask the process to stop, as a stream instead of an interruption.
package enum StopSignals {
  /// The numbers of the signals, as they arrive; from its return on they no longer end the process.
  ///
  /// When the stream is let go of, the default action comes back: a second Ctrl-C then ends a process
  /// whose orderly stop hangs.
  package static func arrivals(
    of numbers: [Int32] = [SIGTERM, SIGINT]
  ) -> AsyncStream<Int32> {
    AsyncStream(bufferingPolicy: .bufferingNewest(numbers.count)) { continuation in
      // Dispatch installs its own handler when it takes the source up, later than `resume()`. Ignoring
      // the signal until then would lose one that comes meanwhile.
      let takenUp = DispatchGroup()
      for number in numbers {
        takenUp.enter()
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setRegistrationHandler { takenUp.leave() }
        source.setEventHandler {
          continuation.yield(number)
          // Nobody else keeps the source; it lives as long as the process.
          _ = source
        }
        source.resume()
      }
      takenUp.wait()
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
