import Domain
import Testing
import Texts
import soundgate

@Suite("The configuration file")
struct ConfigurationTests {
  private func problems(_ text: String) -> [String] {
    do {
      _ = try Configuration(parsing: text, file: "soundgate.conf")
      return []
    } catch {
      return error.lines.map(\.english)
    }
  }

  @Test("an empty file gives the defaults")
  func defaults() throws {
    let configuration = try Configuration(parsing: "", file: "soundgate.conf")
    #expect(configuration == Configuration())
    #expect(configuration.enrolment.link == LinkDeadlines())
    #expect(configuration.enrolment.firstReading == .seconds(60))
    #expect(configuration.storage.retention == .seconds(30 * 86_400))
  }

  @Test("every key is taken")
  func everyKey() throws {
    let text = """
      # a comment
      [site]
      name = Résidence des Tilleuls
      timezone = Europe/Paris
      [bluetooth]
      adapter = aa:bb:cc:dd:ee:ff
      links = 2
      [broker]
      mode = site
      host = broker.example.org
      user = gateway
      [enrolment]
      wifi-silence = 0.5
      """
    let configuration = try Configuration(parsing: text, file: "soundgate.conf")
    #expect(configuration.site.name == "Résidence des Tilleuls")
    #expect(configuration.bluetooth.adapter?.text == "AA:BB:CC:DD:EE:FF")
    #expect(configuration.bluetooth.links == 2)
    #expect(configuration.broker.mode == .site)
    #expect(configuration.enrolment.wifiSilence == .milliseconds(500))
  }

  @Test("an unknown key is an error with file and line, and the known keys are named")
  func unknownKey() {
    let found = problems("[bluetooth]\nadaptor = AA:BB:CC:DD:EE:FF\n")
    #expect(found.count == 1)
    let start = "soundgate.conf:2: unknown key “adaptor” in [bluetooth]"
    #expect(found.first?.hasPrefix(start) == true)
    #expect(found.first?.contains("adapter") == true)
  }

  @Test(
    "a value that cannot be used says what was expected",
    arguments: [
      ("[bluetooth]\nlinks = 99", "expected 1 to 7"),
      ("[site]\ntimezone = Europe/Pari", "IANA time zone"),
      ("[site]\ntimezone = ../../../etc/passwd", "IANA time zone"),
      ("[broker]\nsensor-address = example.org", "IPv4"),
      ("[enrolment]\nwifi = soon", "0.1 to 3600 seconds"),
      ("[enrolment]\nwifi = nan", "0.1 to 3600 seconds"),
      ("[broker]\nmode = site", "needs host and user"),
      ("[broker]\nmode = site\nuser = gateway", "needs host and user"),
      ("links = 1", "before any [section]"),
      ("[bluetooth]\nlinks = 1\nlinks = 2", "already given on line 2"),
      ("[bluetooth\n", "a section is written [name]"),
      ("[bluetooth]\nlinks\n", "key = value"),
    ])
  func refused(text: String, expected: String) {
    let found = problems(text)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains(expected) == true, "\(found)")
  }

  @Test("a site's broker may run on this machine, when that is said")
  func ownHost() throws {
    let text = "[broker]\nmode = site\nhost = 127.0.0.1\nuser = gateway\n"
    #expect(try Configuration(parsing: text, file: "soundgate.conf").broker.host == "127.0.0.1")
  }

  @Test("a byte that is no UTF-8 is named with its line and its place in it")
  func foreignByte() {
    let text = Array("[site]\nname = R\u{E9}s".utf8) + [0xE9, 0x0A] + Array("[log]\n".utf8)
    let invalid = #expect(throws: Configuration.Invalid.self) {
      try Configuration(parsing: text, file: "soundgate.conf")
    }
    #expect(
      invalid?.lines.map(\.english) == [
        "soundgate.conf:2: not valid UTF-8: byte 12 of the line is 0xE9; save the file as UTF-8"
      ])
  }

  @Test("all mistakes are told at once")
  func allAtOnce() {
    #expect(problems("[bluetooth]\nlinks = 0\n[nowhere]\nx = 1\n").count == 2)
  }
}
