/// The ids a test may bear in front of its sentence, `@Test("B07: …")`, each borne by at least one:
/// those of the customer's plans that concern the gateway as it is, and those of the list of bugs
/// met by others in the field.
enum PlanIDs {
  static let all: [String] =
    numbered("TC-IOS-BLE-", 1...6)
    + ["TC-IOS-MQTT-01", "TC-IOS-MQTT-04"]
    + numbered("TC-IOS-RULES-", 1...6)
    + numbered("TC-IOS-DEV-", 1...3)
    + ["TC-IOS-CFG-02", "TC-IOS-ROB-01"]
    + (1...3).map { "PD-176 scenario \($0)" }
    + (1...4).map { "PD-176 error \($0)" }
    + (1...7).map { "PD-176 invariant \($0)" }
    + numbered("B", 1...14) + numbered("P", 1...4) + numbered("M", 1...10)
    + ["C01", "R01", "R02", "D02", "N03", "O01", "O02"]

  private static func numbered(_ prefix: String, _ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { prefix + ($0 < 10 ? "0\($0)" : "\($0)") }
  }
}
