import Domain
import Testing

private typealias Story = EnrolmentStory

@Suite("The proof of a first reading")
struct FirstReadingProofTests {
  private static let login = BrokerEvent.connected(
    ip: "192.168.1.7", client: "ESP32C3-332211CCBBAA", user: "332211CCBBAA-2")

  private func proof(followsLog: Bool) -> FirstReadingProof {
    FirstReadingProof(
      deliveredAt: Story.delivered, settling: .seconds(5),
      verdict: BrokerVerdict(sensor: Story.sensor, account: "332211CCBBAA-2", address: Story.ip),
      followsLog: followsLog)
  }

  private func reading(after seconds: Int64, isDated: Bool = true) -> Reading {
    Reading(
      sensor: Story.sensor, at: Story.delivered + .seconds(seconds), isDated: isDated, boot: 1,
      sound: SoundStatus(soundPct: 10, uptime: 5))
  }

  @Test("is a reading after the login with the new account")
  func afterLogin() {
    var proof = proof(followsLog: true)
    #expect(!proof.isGiven(by: reading(after: 8)), "whose session it came from is not known yet")
    proof.observe(Self.login, at: Story.delivered + .seconds(9))
    #expect(!proof.isGiven(by: reading(after: 8)))
    #expect(proof.isGiven(by: reading(after: 10)))
    #expect(!proof.isGiven(by: reading(after: 10, isDated: false)), "nobody knows when it was")
  }

  @Test("is no reading under another account")
  func otherAccount() {
    var proof = proof(followsLog: true)
    proof.observe(
      .connected(ip: "192.168.1.7", client: "ESP32C3-332211CCBBAA", user: "332211CCBBAA-1"),
      at: Story.delivered + .seconds(3))
    #expect(!proof.isGiven(by: reading(after: 30)))
    #expect(proof.blame.code == .noFirstReading)
  }

  @Test("without the broker's log is a reading more than five seconds after the fourth value")
  func withoutLog() {
    var proof = proof(followsLog: false)
    #expect(!proof.isGiven(by: reading(after: 5)))
    #expect(proof.isGiven(by: reading(after: 6)))
    #expect(proof.blame == Fault(.noFirstReading), "nobody can be blamed")
    proof = self.proof(followsLog: true)
    proof.loseLog()
    #expect(proof.isGiven(by: reading(after: 6)))
  }

  @Test("blames the leg that the broker saw break")
  func blame() {
    #expect(proof(followsLog: true).blame.code == .sensorUnreachable)
  }
}
