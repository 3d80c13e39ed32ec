import Domain
import Testing

@Suite("The verdict on a sensor's way to the broker")
struct BrokerVerdictTests {
  private static let sensor = SensorID("A1B2C3D4E5F6")!
  private static let account = "A1B2C3D4E5F6-2"
  private static let client = "ESP32C3-A1B2C3D4E5F6"
  private static let here = "192.0.2.7"
  private static let elsewhere = "192.0.2.99"

  private static let opened = BrokerEvent.opened(ip: here)
  private static let otherOpened = BrokerEvent.opened(ip: elsewhere)
  private static let connected = BrokerEvent.connected(ip: here, client: client, user: account)
  private static let refused = BrokerEvent.refused(ip: nil, client: nil, detail: "not authorised")
  private static let complaint = BrokerEvent.tlsFailed(ip: nil, detail: "alert")
  private static let closed = BrokerEvent.closed(client: nil, ip: nil)

  private static func verdict(
    _ events: [BrokerEvent], address: String? = here
  ) -> BrokerVerdict {
    var verdict = BrokerVerdict(
      sensor: sensor, account: account, address: address.flatMap { IPv4Address($0) })
    for event in events { verdict.observe(event) }
    return verdict
  }

  @Test(
    "names the leg",
    arguments: [
      ([], .sensorUnreachable),
      ([otherOpened, refused], .sensorUnreachable),
      ([opened], .sensorTLS),
      ([opened, complaint, closed], .sensorTLS),
      ([opened, closed], .sensorTLS),
      ([opened, refused], .sensorRefused),
      ([opened, complaint, closed, opened, refused], .sensorRefused),
      ([opened, connected], .noFirstReading),
      ([opened, refused, opened, connected], .noFirstReading),
    ] as [([BrokerEvent], Code)])
  func leg(events: [BrokerEvent], code: Code) {
    #expect(Self.verdict(events).fault.code == code)
  }

  @Test("a refusal while another nameless connection is open may be that one's")
  func uncertain() {
    #expect(
      Self.verdict([Self.opened, Self.otherOpened, Self.refused]).fault.code == .sensorRefusedOrTLS)
  }

  @Test("a later refusal that can only be the sensor's settles what was uncertain")
  func settled() {
    let events = [
      Self.opened, Self.otherOpened, Self.refused, Self.refused, Self.opened, Self.refused,
    ]
    #expect(Self.verdict(events).fault.code == .sensorRefused)
  }

  @Test("another's connection that has got its name takes no refusals any more")
  func namedOther() {
    let events = [
      Self.otherOpened, .connected(ip: Self.elsewhere, client: "other", user: "other"),
      Self.opened, Self.refused,
    ]
    #expect(Self.verdict(events).fault.code == .sensorRefused)
  }

  @Test("an OpenSSL line in front of a named client's end is not the sensor's")
  func othersEnd() {
    let events = [Self.complaint, .closed(client: "other", ip: nil)]
    #expect(Self.verdict(events).fault.code == .sensorUnreachable)
  }

  @Test("a line that names the client or its address is certain whoever else is there")
  func certain() {
    let byClient = BrokerEvent.refused(ip: nil, client: Self.client, detail: "")
    let byAddress = BrokerEvent.refused(ip: Self.here, client: nil, detail: "")
    let others = BrokerEvent.refused(ip: Self.elsewhere, client: nil, detail: "")
    let both = [Self.opened, Self.otherOpened]
    #expect(Self.verdict(both + [byClient]).fault.code == .sensorRefused)
    #expect(Self.verdict(both + [byAddress]).fault.code == .sensorRefused)
    #expect(Self.verdict(both + [others]).fault.code == .sensorTLS)
  }

  @Test("a sensor that said no address is never given a certain leg")
  func noAddress() {
    #expect(
      Self.verdict([Self.opened, Self.refused], address: nil).fault.code == .sensorRefusedOrTLS)
    #expect(Self.verdict([], address: nil).fault.code == .sensorUnreachable)
    #expect(Self.verdict([Self.opened, Self.connected], address: nil).isConnected)
  }

  @Test("only the new account proves anything")
  func oldAccount() {
    let old = BrokerEvent.connected(ip: Self.here, client: Self.client, user: "A1B2C3D4E5F6-1")
    let verdict = Self.verdict([Self.opened, old])
    #expect(!verdict.isConnected)
    #expect(verdict.fault.code == .noFirstReading)
    #expect(verdict.fault.detail.contains("A1B2C3D4E5F6-1"))
  }
}
