import Domain
import Services
import Storage
import TestSupport
import Testing

private typealias Bench = EnrolmentBench

@Suite("A full enrolment", .timeLimit(.minutes(1)))
struct FullEnrolmentTests {
  // "WiFi provisionné via GATT; Statut WiFi passe à positif; Credentials MQTT (host, port, user,
  //  pass) envoyés via BLE; Capteur créé; Capteur visible dans la liste" — and its first reading
  // stored.
  @Test("TC-IOS-BLE-02: chooses, joins, delivers MQTT, hears a reading, names and registers")
  func full() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    try await bench.delivered(id, link)
    try await bench.read(id)
    try await bench.named(id)

    #expect(
      link.writes.map(\.characteristic) == [
        .wifiSSID, .wifiKey, .mqttHost, .mqttPort, .mqttUser, .mqttPassword,
      ])
    let account = try #require(bench.accounts.all.first)
    #expect(
      link.writes.map(\.text) == [
        "Atelier", Bench.key.reveal(), "192.168.1.2", "8883", "332211CCBBAA-1",
        account.password.reveal(),
      ])
    let sensor = try #require(try await bench.sensors.first)
    #expect(sensor.id == Bench.sensor)
    #expect(sensor.name.text == "Salle 1")
    #expect(sensor.account == "332211CCBBAA-1")
    let view = try await bench.desk.show(id)
    #expect(view.isCompleted && view.state == "completed" && view.hasEnded)
    #expect(!link.isOpen)
  }

  @Test("the one characteristic subscribed to is the Wi-Fi status")
  func subscription() async throws {
    let bench = try Bench()
    let (_, link) = try await bench.chosen()
    let subscribed = link.operations.all.filter { $0.kind == .subscribe }
    #expect(subscribed.map(\.characteristic) == [.wifiStatus])
  }

  @Test("the account is made and tried before the first of the four values is written")
  func accountFirst() async throws {
    let order = Journal<String>()
    let accounts = FakeAccounts(onOpen: { _ in order.note("account") })
    let bench = try Bench(accounts: accounts)
    let link = FakeLink(
      to: Bench.sensor, at: Bench.address,
      onOperation: { operation in
        if operation.kind == .write { order.note("\(operation.characteristic!)") }
      })
    let (id, _) = try await bench.chosen(link)
    try await bench.delivered(id, link)
    #expect(
      order.all == [
        "wifiSSID", "wifiKey", "account", "mqttHost", "mqttPort", "mqttUser", "mqttPassword",
      ])
  }

  @Test("the four values go out back to back, less than 300 ms apart and nothing in between")
  func backToBack() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    // Statuses that make a read necessary must not come between.
    try await bench.joined(id, link)
    link.say("???")
    _ = try await bench.desk.validate(id, step: 3, with: .acceptance, by: Bench.operatorName)
    link.say("MQTT reçu (staging)")
    link.say("???")
    try await bench.until(id, state: "awaiting-reading")

    let operations = link.operations.all
    let first = try #require(operations.firstIndex { $0.characteristic == .mqttHost })
    let four = operations[first...].prefix(4)
    #expect(four.map(\.characteristic) == [.mqttHost, .mqttPort, .mqttUser, .mqttPassword])
    for (earlier, later) in zip(four, four.dropFirst()) {
      #expect(later.at - earlier.at < .milliseconds(300))
    }
  }

  @Test("an unmanaged broker's fixed account is used and never deleted")
  func siteBroker() async throws {
    let bench = try Bench(accounts: FakeAccounts(areManaged: false))
    let (id, link) = try await bench.chosen()
    try await bench.delivered(id, link)
    #expect(link.writes.last(where: { $0.characteristic == .mqttUser })?.text == "site")
    bench.clock.advance(by: .seconds(5))
    await bench.feed.publish([bench.stored()])
    bench.clock.advance(by: .milliseconds(1))
    await bench.feed.publish([bench.stored()])
    try await bench.until(id, state: "heard")
    try await bench.named(id)
    #expect(try await bench.sensors.first?.account == nil)
    #expect(bench.accounts.removals.all.isEmpty)
  }

  @Test(
    "two sensors are enrolled at once when two links are allowed, and one after another when not")
  func several() async throws {
    let other = SensorID("AABBCC001122")!
    let otherAddress = BluetoothAddress("AA:BB:CC:11:22:99")!
    let two = try Bench(links: 2)
    let (first, _) = try await two.chosen()
    let (second, _) = try await two.chosen(sensor: other, at: otherAddress, by: "paul")
    #expect(try await Set(two.desk.list().map(\.id)) == [first, second])

    let one = try Bench()
    let (holder, _) = try await one.chosen()
    let third = try await one.desk.begin(by: "paul").id
    try await one.hear(other, at: otherAddress)
    let refused = await refusal {
      try await one.desk.validate(third, step: 1, with: .sensor(other, nil), by: "paul")
    }
    #expect(refused == .linksBusy(with: holder))
    #expect(try await one.desk.show(third).step == .chooseSensor)
  }

  @Test("a sensor under enrolment cannot be chosen again")
  func oneEnrolmentPerSensor() async throws {
    let bench = try Bench(links: 2)
    let (first, _) = try await bench.chosen()
    let second = try await bench.desk.begin(by: "paul").id
    let refused = await refusal {
      try await bench.desk.validate(second, step: 1, with: .sensor(Bench.sensor, nil), by: "paul")
    }
    #expect(refused == .taken(by: first))
    #expect(try await bench.desk.show(second).step == .chooseSensor)
  }

  @Test("updates tell each state as it comes and end with the enrolment")
  func updates() async throws {
    let bench = try Bench()
    let id = try await bench.desk.begin(by: Bench.operatorName).id
    let states = Task {
      var states: [String] = []
      for await view in try await bench.desk.updates(of: id) where view.state != states.last {
        states.append(view.state)
      }
      return states
    }
    try await bench.until(id, state: "scanning")
    bench.radio.prepare(
      .success(FakeLink(to: Bench.sensor, at: Bench.address)), at: Bench.address)
    try await bench.hear()
    _ = try await bench.desk.validate(
      id, step: 1, with: .sensor(nil, Bench.address), by: Bench.operatorName)
    try await bench.until(id, state: "awaiting-wifi")
    _ = try await bench.desk.cancel(id, by: Bench.operatorName)
    #expect(try await states.value == ["scanning", "connecting", "awaiting-wifi", "failed"])
  }
}
