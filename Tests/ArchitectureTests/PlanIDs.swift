/// The ids a test may bear in front of its sentence, `@Test("B07: …")`: those of the customer's plans
/// and those of the list of bugs that others met in the field.
enum PlanIDs {
  /// Those that concern the gateway as it is; each must be borne by at least one test.
  static let required: [String] =
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

  /// Those that may be borne before all of their subject is there.
  static let welcome: [String] =
    ["TC-IOS-MQTT-02", "TC-IOS-MQTT-03", "TC-IOS-CFG-01", "TC-IOS-ROB-02", "TC-IOS-ROB-03"]
    + numbered("TC-IOS-AUTH-", 1...7) + numbered("TC-IOS-NOTIF-", 1...5)
    + ["R03", "D01", "D03", "D04", "O03", "N01", "N02", "W01", "W02", "W03"]

  private static func numbered(_ prefix: String, _ numbers: ClosedRange<Int>) -> [String] {
    numbers.map { prefix + ($0 < 10 ? "0\($0)" : "\($0)") }
  }
}
