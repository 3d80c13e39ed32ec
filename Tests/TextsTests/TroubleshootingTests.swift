import Domain
import Foundation
import Testing
import Texts

@Suite("The page on troubleshooting")
struct TroubleshootingTests {
  @Test("has every code of the table, in the table's words")
  func isCurrent() throws {
    let expected = TroubleshootingPage.text
    if ProcessInfo.processInfo.environment["SOUNDGATE_WRITE_PAGES"] != nil {
      try expected.write(to: TroubleshootingPage.url, atomically: true, encoding: .utf8)
    }
    let page = try String(contentsOf: TroubleshootingPage.url, encoding: .utf8)
    #expect(page == expected, "write it anew: SOUNDGATE_WRITE_PAGES=1 swift test --filter Texts")
    for code in Code.described { #expect(page.contains("\n### \(code)\n"), "\(code)") }
  }
}
