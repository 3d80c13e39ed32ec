import Domain
import Foundation
import Services
import TestSupport
import Testing

private typealias Bench = EnrolmentBench

@Suite("The radio phase of an enrolment", .timeLimit(.minutes(1)))
struct RadioPhaseTests {
  // "le capteur apparaît avec son nom (préfixe « SOUND-SENSOR »)" — with signal strength and age.
  @Test("TC-IOS-BLE-01: a scan lists the sensor with its name, signal and age")
  func scan() async throws {
    let bench = try Bench()
    try await withThrowingTaskGroup(of: NearbyList.self) { group in
      group.addTask {
        for await list in await bench.desk.scan() where !list.sensors.isEmpty { return list }
        return await bench.desk.nearby()
      }
      await bench.radio.scans.until { !$0.isEmpty }
      bench.radio.hear(
        Sighting(
          address: Bench.address, name: AdvertisedName("HUMAN-SENSOR-332211CCBBAA")!, rssi: -40,
          at: bench.now))
      bench.radio.hear(
        Sighting(
          address: Bench.address, name: AdvertisedName("SOUND-SENSOR-332211CCBBAA")!, rssi: -61,
          at: bench.now))
      let list = try #require(try await group.next())
      #expect(list.sensors.count == 1, "another kind of sensor is none of ours")
      let sensor = try #require(list.sensors.first)
      #expect(sensor.peripheral.sensor == Bench.sensor)
      #expect(sensor.rssi == -61)
      #expect(list.at - sensor.lastSeen == .zero)
      #expect(list.endsAt == Bench.start + .seconds(30))
    }
  }

  @Test("the list greys what is silent for 15 s and drops it after a minute")
  func ageing() async throws {
    let bench = try Bench()
    _ = try await bench.desk.begin(by: Bench.operatorName)
    try await bench.hear()
    bench.clock.advance(by: .seconds(15))
    let fading = try #require(await bench.desk.nearby().sensors.first)
    #expect(fading.isFading(at: bench.now))
    bench.clock.advance(by: .seconds(45))
    #expect(await bench.desk.nearby().sensors.isEmpty)
  }

  // "message demandant d'activer le Bluetooth" — off, blocked and absent told apart.
  @Test(
    "TC-IOS-BLE-04: a radio that is off, blocked or absent is said to be so, and recovers by itself",
    arguments: [
      Code.adapterOff, .adapterBlocked, .adapterAbsent, .bluetoothDenied, .bluetoothdAbsent,
    ])
  func radioUnusable(code: Code) async throws {
    let bench = try Bench()
    bench.radio.become(.unusable(Fault(code)))
    let id = try await bench.desk.begin(by: Bench.operatorName).id
    let complained = try await bench.until(id) { $0.complaint != nil }
    #expect(complained.complaint?.code == code)
    #expect(complained.state == "scanning")
    #expect(await bench.desk.nearby().fault?.code == code)

    bench.radio.become(.ready(adapter: "hci0", address: BluetoothAddress("00:11:22:33:44:55")!))
    await bench.clock.sleeper(dueIn: .seconds(2))
    bench.clock.advance(by: .seconds(2))
    try await bench.hear()
    #expect(await bench.desk.nearby().fault == nil)
  }

  @Test("a scan that hears nothing complains after 30 s; resuming scans again")
  func nothingHeard() async throws {
    let bench = try Bench()
    let id = try await bench.desk.begin(by: Bench.operatorName).id
    await bench.radio.scans.until { $0.count == 1 }
    await bench.clock.sleepers(atLeast: 2)
    bench.clock.advance(by: .seconds(30))
    let complained = try await bench.until(id) { $0.complaint != nil }
    #expect(complained.complaint?.code == .notSeen)
    _ = try await bench.desk.resume(id, by: Bench.operatorName)
    await bench.radio.scans.until { $0.count == 2 }
    #expect(try await bench.desk.show(id).complaint == nil)
  }

  @Test("a sensor that is not heard cannot be chosen")
  func notHeard() async throws {
    let bench = try Bench()
    let id = try await bench.desk.begin(by: Bench.operatorName).id
    let refused = await refusal {
      try await bench.desk.validate(
        id, step: 1, with: .sensor(Bench.sensor, nil), by: Bench.operatorName)
    }
    #expect(refused?.code == .notSeen)
    #expect(try await bench.desk.show(id).step == .chooseSensor)
  }

  @Test("a sensor that is online but not heard is recognised, and the ways back are offered")
  func alreadyOnline() async throws {
    let bench = try Bench()
    var reading = bench.stored().reading
    reading = Reading(
      sensor: reading.sensor, at: reading.at, boot: 1,
      sound: SoundStatus(soundPct: 30, uptime: 5, address: "192.168.1.7"))
    await bench.feed.hear(reading)
    let id = try await bench.desk.begin(by: Bench.operatorName).id
    bench.clock.advance(by: .seconds(59))
    let ways: [WayBack] = [
      .resetOverMQTT, .localPage(url: "http://192.168.1.7/mqtt"), .powerUpHold,
    ]
    let refused = await refusal {
      try await bench.desk.validate(
        id, step: 1, with: .sensor(Bench.sensor, nil), by: Bench.operatorName)
    }
    #expect(refused == .alreadyOnline(Bench.sensor, ways))
    let view = try await bench.until(id) { $0.complaint?.code == .alreadyOnline }
    #expect(view.waysBack == ways)

    try await bench.desk.resetOverMQTT(Bench.sensor, by: Bench.operatorName)
    #expect(bench.published.all == ["devices/332211CCBBAA/cmd/reset_mqtt"])

    bench.clock.advance(by: .seconds(1))
    let later = await refusal {
      try await bench.desk.validate(
        id, step: 1, with: .sensor(Bench.sensor, nil), by: Bench.operatorName)
    }
    #expect(later?.code == .notSeen, "a minute later nobody knows")
  }

  @Test("a sensor that says it is online is shown so")
  func saysOnline() async throws {
    let bench = try Bench()
    let link = FakeLink(to: Bench.sensor, at: Bench.address, mqtt: "MQTT: on 10.0.0.1:8883")
    let (id, _) = try await bench.chosen(link)
    #expect(try await bench.desk.show(id).isOnline)
  }

  @Test("two sensors of one name are told apart by address")
  func ambiguous() async throws {
    let bench = try Bench()
    let other = BluetoothAddress("AA:BB:CC:11:22:99")!
    let id = try await bench.desk.begin(by: Bench.operatorName).id
    try await bench.hear()
    try await bench.hear(at: other)
    #expect(await bench.desk.nearby().sensors.count == 2)
    let refused = await refusal {
      try await bench.desk.validate(
        id, step: 1, with: .sensor(Bench.sensor, nil), by: Bench.operatorName)
    }
    #expect(refused?.code == .conflict)
    bench.radio.prepare(.success(FakeLink(to: Bench.sensor, at: other)), at: other)
    _ = try await bench.desk.validate(
      id, step: 1, with: .sensor(Bench.sensor, other), by: Bench.operatorName)
    try await bench.until(id, state: "awaiting-wifi")
    #expect(bench.radio.connects.all == [other])
  }

  @Test("a sensor that gives another chip id than its name ends the enrolment")
  func chipMismatch() async throws {
    let bench = try Bench()
    let link = FakeLink(to: SensorID("000000000000")!, at: Bench.address)
    bench.radio.prepare(.success(link), at: Bench.address)
    let id = try await bench.desk.begin(by: Bench.operatorName).id
    try await bench.hear()
    _ = try await bench.desk.validate(
      id, step: 1, with: .sensor(Bench.sensor, nil), by: Bench.operatorName)
    let failed = try await bench.until(id, state: "failed")
    #expect(failed.failure?.code == .chipMismatch)
    #expect(!link.isOpen)
  }

  @Test("a missing characteristic is looked for once more on a fresh link, then named")
  func missingCharacteristic() async throws {
    let bench = try Bench()
    let broken = FakeLink(to: Bench.sensor, at: Bench.address, without: [.mqttUser])
    bench.radio.prepare(.success(broken), at: Bench.address)
    let (id, _) = try await bench.chosen()
    #expect(!broken.isOpen)
    _ = try await bench.desk.cancel(id, by: Bench.operatorName)

    for _ in 1...2 {
      bench.radio.prepare(
        .success(FakeLink(to: Bench.sensor, at: Bench.address, without: [.mqttUser])),
        at: Bench.address)
    }
    let second = try await bench.desk.begin(by: Bench.operatorName).id
    try await bench.hear()
    _ = try await bench.desk.validate(
      second, step: 1, with: .sensor(Bench.sensor, nil), by: Bench.operatorName)
    let failed = try await bench.until(second, state: "failed")
    #expect(failed.failure?.code == .characteristicMissing)
    #expect(
      failed.failure?.detail == SensorProfile.Characteristic.mqttUser.rawValue)
  }

  @Test("the window is counted down, and a link lost after its end says so")
  func window() async throws {
    let bench = try Bench()
    let (id, link) = try await bench.chosen()
    bench.clock.advance(by: .seconds(100))
    #expect(try await bench.desk.show(id).windowSecondsLeft == 200)
    bench.clock.advance(by: .seconds(200))
    #expect(try await bench.desk.show(id).windowSecondsLeft == nil)
    link.drop()
    let failed = try await bench.until(id, state: "failed")
    #expect(failed.failure?.code == .windowClosed)
  }
}
