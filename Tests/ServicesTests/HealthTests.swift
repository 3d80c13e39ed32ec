import Domain
import Host
import Services
import Synchronization
import TestSupport
import Testing

@Suite("The health of the daemon", .timeLimit(.minutes(1)))
struct HealthTests {
  @Test("is not well when a loop has been at one piece of work for too long")
  func progress() {
    let clock = ManualClock()
    let progress = Progress(clock: clock)
    progress.begin(.ingest)
    clock.advance(by: .seconds(60))
    progress.begin(.ingest)
    progress.begin(.forwarder)
    clock.advance(by: .seconds(60))
    #expect(progress.stuck(longerThan: .seconds(90)).isEmpty)
    progress.rest(.forwarder)
    clock.advance(by: .seconds(31))
    #expect(progress.stuck(longerThan: .seconds(90)) == [.ingest])
    progress.rest(.ingest)
    clock.advance(by: .seconds(3_600))
    #expect(progress.stuck(longerThan: .seconds(90)).isEmpty)
  }

  @Test("shows what its checks find, and when that began")
  func checks() async throws {
    let time = ManualTime()
    let board = StatusBoard(now: time.wallClock)
    let fault = Mutex<Fault?>(Fault(.atMostOnce))
    let health = Health(
      checks: [
        HealthCheck(.brokerGuarantee) { fault.withLock { $0 } },
        HealthCheck(.broker, level: .down) { nil },
      ], board: board, progress: Progress(clock: time.clock),
      serviceManager: ServiceManager(
        socket: nil, watchdogMicroseconds: "10000000", watchdogProcess: nil), clock: time.clock)
    let task = Task { await health.run() }
    await time.clock.sleeper(dueIn: .seconds(5))
    let start = time.now
    #expect(
      await board[.brokerGuarantee]
        == ComponentStatus(
          component: .brokerGuarantee, level: .degraded, fault: Fault(.atMostOnce), since: start))
    #expect(await board[.broker]?.level == .ok)
    #expect(await board.level == .degraded)
    time.clock.advance(by: .seconds(5))
    await time.clock.sleeper(dueIn: .seconds(5))
    #expect(await board[.brokerGuarantee]?.since == start)
    fault.withLock { $0 = nil }
    time.clock.advance(by: .seconds(5))
    await time.clock.sleeper(dueIn: .seconds(5))
    #expect(await board.level == .ok)
    #expect(await board.statuses.map(\.component) == [.broker, .brokerGuarantee, .loops])
    task.cancel()
    await task.value
  }

  @Test("tells its log of a change, and not of the same again")
  func log() async {
    let recorder = LogRecorder()
    let board = LogSink.$current.withValue(recorder.sink()) {
      StatusBoard(now: { Timestamp(seconds: 0) })
    }
    await board.report(.storage, .ok)
    for _ in 0..<3 { await board.report(.storage, .down, Fault(.storeFull, "disk")) }
    await board.report(.storage, .ok)
    #expect(recorder.all.map(\.level) == [.warning, .notice])
    #expect(recorder.all.first?["fault"] == "SG-STORE-602 disk")
  }

  @Test("is followed by any number of readers, each with all the changes")
  func followers() async {
    let board = StatusBoard(now: { Timestamp(seconds: 0) })
    let first = await board.changes()
    let second = await board.changes()
    await board.report(.clock, .degraded)
    #expect(await first.first { _ in true }?.component == .clock)
    #expect(await second.first { _ in true }?.component == .clock)
  }
}
