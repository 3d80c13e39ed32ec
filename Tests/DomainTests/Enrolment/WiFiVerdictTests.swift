import Domain
import Testing

/// Each row of the verdict table; the expected results are quoted from it.
@Suite("The Wi-Fi verdict")
struct WiFiVerdictTests {
  private static let ip = IPv4Address("192.168.1.7")!

  /// What happens, in order: a status, or the present wait is over.
  enum Happening: Sendable {
    case says(WiFiStatus)
    case timesOut
  }

  /// The outcome of a story, and whether it came with the last happening.
  private func outcome(of story: [Happening]) -> WiFiVerdict.Outcome? {
    var verdict = WiFiVerdict()
    for (index, happening) in story.enumerated() {
      let outcome =
        switch happening {
        case .says(let status): verdict.hear(status)
        case .timesOut: verdict.timeOut()
        }
      if let outcome {
        #expect(index == story.count - 1, "decided before the story's end")
        return outcome
      }
    }
    return nil
  }

  @Test("has the waits of the table: 17 s to start, 10 s of silence, 20 s in all")
  func waits() {
    var verdict = WiFiVerdict()
    #expect(verdict.wait == .seconds(17))
    _ = verdict.hear(.starting)
    #expect(verdict.wait == .seconds(10))
    _ = verdict.hear(.left(reason: 2))
    #expect(verdict.timeOut() == nil)
    #expect(verdict.wait == .seconds(10), "20 s after clock 0")
    _ = verdict.timeOut()
    #expect(verdict.wait == nil)
  }

  @Test("no Connexion... within 17 s: SG-WIFI-902 has not started")
  func notStarted() {
    #expect(outcome(of: [.timesOut]) == .failed(.wifiNotStarted))
    // An older positive and older reasons do not count.
    #expect(
      outcome(of: [
        .says(.joined(Self.ip)), .says(.snapshot(Self.ip)), .says(.left(reason: 15)),
        .says(.left(reason: 15)), .timesOut,
      ]) == .failed(.wifiNotStarted))
  }

  @Test("Erreur: identifiants invalides: failed at once, SG-WIFI-904")
  func refused() {
    #expect(outcome(of: [.says(.refused)]) == .failed(.wifiInputRefused))
    #expect(outcome(of: [.says(.starting), .says(.refused)]) == .failed(.wifiInputRefused))
  }

  @Test("a complete IPv4 address: joined")
  func joined() {
    #expect(outcome(of: [.says(.starting), .says(.joined(Self.ip))]) == .joined(Self.ip))
    #expect(
      outcome(of: [
        .says(.starting), .says(.left(reason: 8)), .says(.associated), .says(.joined(Self.ip)),
      ]) == .joined(Self.ip))
    #expect(outcome(of: [.says(.starting), .says(.unknown)]) == nil, "a cut address is none")
  }

  @Test(
    "two of r=15, 202, 204: failed at once, that code",
    arguments: [(15, 15), (202, 202), (204, 204), (15, 204), (204, 202)])
  func wrongKey(first: Int, second: Int) {
    #expect(outcome(of: [.says(.starting), .says(.left(reason: first))]) == nil)
    #expect(
      outcome(of: [.says(.starting), .says(.left(reason: first)), .says(.left(reason: second))])
        == .failed(.wifi(reason: second)))
  }

  @Test("Connecté (association): the key is right; 20 s for an address, then SG-WIFI-901")
  func noAddress() {
    #expect(outcome(of: [.says(.starting), .says(.associated), .timesOut]) == nil)
    #expect(
      outcome(of: [.says(.starting), .says(.associated), .timesOut, .timesOut])
        == .failed(.noAddress))
    #expect(
      outcome(of: [
        .says(.starting), .says(.left(reason: 2)), .says(.associated), .timesOut,
        .says(.left(reason: 8)), .timesOut,
      ]) == .failed(.noAddress))
  }

  @Test("only r=201: failed at 10 s exactly with 201")
  func noSuchNetwork() {
    #expect(
      outcome(of: [
        .says(.starting), .says(.left(reason: 201)), .says(.left(reason: 201)), .timesOut,
      ]) == .failed(.wifi(reason: 201)))
  }

  @Test("nothing at all: failed at 10 s exactly with SG-WIFI-903 (silence)")
  func silence() {
    #expect(outcome(of: [.says(.starting), .timesOut]) == .failed(.wifiSilence))
  }

  @Test("any other reason: keep listening; at 20 s failed with the last reason that is not 8")
  func otherReason() {
    #expect(outcome(of: [.says(.starting), .says(.left(reason: 2)), .timesOut]) == nil)
    #expect(
      outcome(of: [
        .says(.starting), .says(.left(reason: 201)), .says(.left(reason: 2)), .timesOut,
        .says(.left(reason: 203)), .says(.left(reason: 8)), .timesOut,
      ]) == .failed(.wifi(reason: 203)))
    // One refusal of the key is not two.
    #expect(
      outcome(of: [.says(.starting), .says(.left(reason: 15)), .timesOut, .timesOut])
        == .failed(.wifi(reason: 15)))
  }

  @Test("r=8 is never a verdict: it counts as nothing heard")
  func leftByItself() {
    #expect(
      outcome(of: [
        .says(.starting), .says(.left(reason: 8)), .says(.left(reason: 8)), .says(.left(reason: 8)),
        .timesOut,
      ]) == .failed(.wifiSilence))
    #expect(
      outcome(of: [
        .says(.starting), .says(.left(reason: 201)), .says(.left(reason: 8)), .timesOut,
      ]) == .failed(.wifi(reason: 201)))
  }

  @Test(
    "what says nothing of Wi-Fi changes nothing",
    arguments: [
      WiFiStatus.unknown, .mqtt(.connected), .mqtt(.failed(5)), .ssidReceived, .keyReceived,
      .left(reason: nil), .idle, .snapshot(nil),
    ])
  func noise(status: WiFiStatus) {
    #expect(
      outcome(of: [.says(status), .says(.starting), .says(status), .timesOut])
        == .failed(.wifiSilence))
  }

  @Test("a complete address heard later on the same link still joins")
  func lateAddress() {
    var verdict = WiFiVerdict()
    _ = verdict.hear(.starting)
    #expect(verdict.timeOut() == .failed(.wifiSilence))
    #expect(verdict.hear(.left(reason: 15)) == nil)
    #expect(verdict.hear(.left(reason: 15)) == nil, "it has failed once already")
    #expect(verdict.hear(.joined(Self.ip)) == .joined(Self.ip))

    var late = WiFiVerdict()
    #expect(late.timeOut() == .failed(.wifiNotStarted))
    #expect(late.hear(.joined(Self.ip)) == nil, "the attempt has not started")
    #expect(late.hear(.starting) == nil)
    #expect(late.hear(.joined(Self.ip)) == .joined(Self.ip))
  }
}
