import Glibc
import Host
import Testing

@Suite("Stop signals", .timeLimit(.minutes(1)))
struct StopSignalsTests {
  @Test("arrive as numbers and no longer end the process")
  func arrive() async {
    let arrivals = StopSignals.arrivals(of: [SIGUSR1, SIGUSR2])
    kill(getpid(), SIGUSR2)
    var iterator = arrivals.makeAsyncIterator()
    #expect(await iterator.next() == SIGUSR2)
    kill(getpid(), SIGUSR1)
    #expect(await iterator.next() == SIGUSR1)
  }
}
