import Domain
import TestSupport
import Testing

@Suite("The connectivity of a sensor")
struct ConnectivityTests {
  private let start = Timestamp(seconds: 1_790_000_000)

  private func state(seen: Int?) -> SensorState {
    SensorState(sensor: sensorID(1), lastSeen: seen.map { start + .seconds($0) })
  }

  private func connectivity(_ state: SensorState, at second: Int) -> Connectivity {
    state.connectivity(at: start + .seconds(second))
  }

  @Test("is unknown of a sensor that was never heard")
  func unknown() {
    #expect(connectivity(state(seen: nil), at: 0) == .unknown)
  }

  @Test("M07: follows fresh readings rather than an older 'offline'")
  func freshReading() {
    // "retained offline, then fresh readings each 10 s": "a fresh reading outranks an older offline"
    var state = state(seen: nil)
    state.note(.offline, arrivedAt: start, isRetained: true)
    #expect(connectivity(state, at: 1) == .offline(since: start))
    state.lastSeen = start + .seconds(10)
    #expect(connectivity(state, at: 12) == .online)
    // The broker's copy comes again at each subscription of ours; it is no news.
    state.note(.offline, arrivedAt: start + .seconds(14), isRetained: true)
    #expect(connectivity(state, at: 15) == .online)
  }

  @Test("M07: recovers when an old session's last will lands after the new 'online'")
  func lateWill() {
    // "online followed 40 ms later by offline"
    var state = state(seen: 0)
    state.note(.online, arrivedAt: start + .seconds(5), isRetained: false)
    state.note(.offline, arrivedAt: start + .milliseconds(5_040), isRetained: false)
    #expect(connectivity(state, at: 6) == .offline(since: start + .milliseconds(5_040)))
    state.lastSeen = start + .seconds(10)
    #expect(connectivity(state, at: 11) == .online)
  }

  @Test("M07: is silent when 'online' is followed by no reading")
  func silent() {
    // "online with no data becomes 'no data'"
    var state = state(seen: 0)
    state.note(.online, arrivedAt: start, isRetained: false)
    #expect(connectivity(state, at: 60) == .online)
    #expect(connectivity(state, at: 61) == .silent(since: start))
    #expect(connectivity(state, at: 3_600) == .silent(since: start))
    var never = self.state(seen: nil)
    never.note(.online, arrivedAt: start, isRetained: true)
    #expect(connectivity(never, at: 5) == .silent(since: start))
  }

  @Test("tells an 'offline' that we missed by the broker's copy of it")
  func missed() {
    var state = state(seen: 0)
    state.note(.online, arrivedAt: start, isRetained: false)
    state.note(.offline, arrivedAt: start + .seconds(900), isRetained: true)
    #expect(connectivity(state, at: 901) == .offline(since: start))
  }
}
