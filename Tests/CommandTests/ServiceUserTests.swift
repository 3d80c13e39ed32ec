import Domain
import Testing
import Texts
import soundgate

@Suite("A user of the services")
struct ServiceUserTests {
  @Test("that is missing is named, with what makes it: not the command that has just failed")
  func missing() {
    let name = "soundgate-nobody"
    let refused = #expect(throws: Refused.self) { try ServiceUser.find(name) }
    #expect(refused?.code == .brokerNotSetUp)
    for language in Language.allCases {
      #expect(refused?.message[language].contains(name) == true)
      let hint = refused?.hint?[language] ?? ""
      #expect(hint.contains("sudo make install") && hint.contains("systemd-sysusers"))
      #expect(!hint.contains("broker setup"))
    }
  }

  @Test("that is there is found")
  func present() { #expect(throws: Never.self) { try ServiceUser.find("root") } }
}
