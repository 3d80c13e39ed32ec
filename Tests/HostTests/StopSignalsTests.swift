import Glibc
import Host
import Testing

@Suite("Stop signals", .timeLimit(.minutes(1)))
struct StopSignalsTests {
  @Test("arrive as numbers and no longer end the process")
  func arrive() async {
    // Before the first return a signal still kills: what is pinned here is that none is lost after it.
    let arrivals = StopSignals.arrivals(of: [SIGUSR1, SIGUSR2])
    var iterator = arrivals.makeAsyncIterator()
    for number in [SIGUSR2, SIGUSR1, SIGUSR2, SIGUSR1] {
      kill(getpid(), number)
      #expect(await iterator.next() == number)
    }
  }
}
