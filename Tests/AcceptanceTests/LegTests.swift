import Bluetooth
import Domain
import Simulator
import Testing
import Texts

/// Each leg between the gateway and the first reading, broken once.
@Suite("A broken leg over Bluetooth", .serialized, .timeLimit(.minutes(3)))
struct BluetoothLegTests {
  private static let short = Stage.Plan(
    enrolment: """
      connect-attempt = 1.5
      connect = 4
      services = 1.5
      operation = 1.5
      """)

  private static let legs = [
    Leg(
      name: "link: refused again and again", codes: [.connectFailed], part: .link, plan: short,
      misbehaviour: .abortByLocal),
    Leg(
      name: "link: no answer", codes: [.connectTimeout], part: .link, plan: short,
      misbehaviour: .swallow(.connect)),
    Leg(
      name: "link: out of range", codes: [.notSeen], part: .link, plan: short,
      trouble: { stage in
        for await event in await stage.fleet.bluez.events()
        where event.kind == .called(.removeDevice) {
          return await stage.fleet.setSignal(of: Stage.chip, rssi: nil)
        }
      }),
    Leg(
      name: "services: never resolved", codes: [.servicesUnresolved], part: .services, plan: short,
      misbehaviour: .neverResolve),
    Leg(
      name: "services: one is missing", codes: [.characteristicMissing], part: .services,
      plan: short, misbehaviour: .missing(.mqttPassword)),
    Leg(
      name: "write: refused", codes: [.writeRefused], part: .write, plan: short,
      misbehaviour: .refuse(.write, .notPermitted)),
    Leg(
      name: "write: no answer", codes: [.operationTimeout], part: .write, plan: short,
      misbehaviour: .swallow(.write)),
  ]

  @Test("ends in its own code, advice and exit status", arguments: legs)
  private func ends(leg: Leg) async throws {
    let code = try await leg.check()
    #expect(leg.codes.contains(code))
  }
}

@Suite("A broken leg over Wi-Fi", .serialized, .timeLimit(.minutes(3)))
struct WiFiLegTests {
  private static func plan(
    enrolment: String = "", _ change: (inout WiFiWorld.Network) -> Void = { _ in }
  ) -> Stage.Plan {
    var plan = Stage.Plan(enrolment: enrolment)
    change(&plan.network)
    return plan
  }

  private static let legs = [
    Leg(
      name: "no such network", codes: [.wifi(reason: 201)], part: .accessPoint,
      plan: plan { $0.ssid = "another" }),
    Leg(
      name: "wrong key", codes: [.wifi(reason: 15)], part: .key,
      plan: plan(), key: "une autre clé"),
    Leg(
      name: "association", codes: [.wifi(reason: 203)], part: .association,
      plan: plan(enrolment: "wifi-silence = 5\nwifi = 7") { $0.reasons = [203] }),
    Leg(
      name: "no address", codes: [.noAddress], part: .addressing,
      plan: plan(enrolment: "wifi-silence = 4\nwifi = 6") { $0.address = nil }),
  ]

  @Test("ends in its own code, advice and exit status", arguments: legs)
  private func ends(leg: Leg) async throws {
    let code = try await leg.check()
    #expect(leg.codes.contains(code))
  }
}

@Suite("A broken leg over MQTT", .serialized, .timeLimit(.minutes(3)))
struct MQTTLegTests {
  private static func plan(
    _ traits: SensorTraits = SensorTraits(), _ change: (inout WiFiWorld.Network) -> Void = { _ in }
  ) -> Stage.Plan {
    var plan = Stage.Plan(traits: traits, enrolment: "first-reading = 12")
    change(&plan.network)
    return plan
  }

  private static let legs = [
    Leg(
      name: "no way to the broker", codes: [.sensorUnreachable], part: .broker,
      plan: plan { $0.reachesBroker = false }),
    Leg(
      name: "encryption", codes: [.sensorTLS], part: .encryption,
      plan: plan(SensorTraits(verifiesCertificates: true))),
    Leg(
      name: "account", codes: [.sensorRefused, .sensorRefusedOrTLS], part: .account,
      plan: plan(SensorTraits(garbled: [.mqttPassword]))),
    Leg(
      name: "no first reading", codes: [.noFirstReading], part: .firstReading,
      plan: plan(SensorTraits(measures: false))),
  ]

  @Test("ends in its own code, advice and exit status", arguments: legs)
  private func ends(leg: Leg) async throws {
    let code = try await leg.check()
    #expect(leg.codes.contains(code))
  }
}
