import Host
import TestSupport
import Testing

@Suite("A bell", .timeLimit(.minutes(1)))
struct BellTests {
  @Test("keeps a ring nobody waited for, once")
  func keepsOneRing() async {
    let bell = Bell()
    let clock = ManualClock()
    bell.ring()
    bell.ring()
    await bell.wait()
    async let second: Void = bell.wait(atMost: .seconds(5), on: clock)
    await clock.sleeper(dueIn: .seconds(5))
    clock.advance(by: .seconds(5))
    await second
  }

  @Test("wakes whoever waits")
  func wakes() async {
    let bell = Bell()
    let clock = ManualClock()
    async let wait: Void = bell.wait(atMost: .seconds(5), on: clock)
    await clock.sleepers(atLeast: 1)
    bell.ring()
    await wait
    #expect(clock.now.offset == .zero)
  }

  @Test("still rings after a wait that was cut short")
  func survivesCancellation() async {
    let bell = Bell()
    let clock = ManualClock()
    for _ in 0..<100 {
      async let wait: Void = bell.wait(atMost: .seconds(1), on: clock)
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
      await wait
    }
    bell.ring()
    await bell.wait()
  }

  @Test("lets go of a cancelled task")
  func cancelled() async {
    let bell = Bell()
    let task = Task { await bell.wait() }
    task.cancel()
    await task.value
  }
}
