import Domain
import Simulator
import TestSupport
import Testing
import Texts

@Suite("A radio that cannot be used", .serialized, .timeLimit(.minutes(3)))
struct RadioLegTests {
  /// A scan ends at once in the code, in both languages, and so does an enrolment.
  private func expect(_ code: Code, on stage: Stage) async throws {
    #expect(code.words.part == .radio)
    #expect(await stage.log.said("fault=\"\(code)"), "the daemon did not notice")
    for language in Language.allCases {
      let scan = try await stage.run("scan", "--seconds", "20", language: language)
      #expect(scan.status == 3, "\(scan.words)")
      AcceptanceTests.expect(scan.errors, toTell: code, in: language)
    }
    let enrolment = try await stage.enrol()
    #expect(enrolment.status == 3, "\(enrolment.words)")
    AcceptanceTests.expect(enrolment.errors, toTell: code, in: .english)
  }

  @Test("off, blocked and absent are told apart, and forgotten once they are put right")
  func offBlockedAbsent() async throws {
    try await Stage.perform { stage in
      let bluez = stage.fleet.bluez
      await bluez.setAdapter(isPowered: false)
      try await expect(.adapterOff, on: stage)
      await bluez.setAdapter(isPowered: false, isBlocked: true)
      try await expect(.adapterBlocked, on: stage)
      await bluez.removeAdapter()
      try await expect(.adapterAbsent, on: stage)
      await bluez.addAdapter()
      #expect(await stage.log.said("all is well again component=bluetooth"))
      let scan = try await stage.run("scan", "--seconds", "1")
      #expect(scan.status == 0, "\(scan.words)")
    }
  }

  @Test("a bus that denies BlueZ says so")
  func denied() async throws {
    try await Stage.perform(Stage.Plan(policy: .bluezDenied)) { stage in
      try await expect(.bluetoothDenied, on: stage)
    }
  }

  @Test("a machine without bluetoothd says so")
  func noBluetoothd() async throws {
    try await Stage.perform(Stage.Plan(hasBluetoothd: false)) { stage in
      try await expect(.bluetoothdAbsent, on: stage)
    }
  }
}
