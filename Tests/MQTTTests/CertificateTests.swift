import Crypto
import Domain
import Host
import MQTT
import Simulator
import TestSupport
import Testing

@Suite("A broker's certificate that is not accepted")
struct CertificateTests {
  private static let year = Duration.seconds(365 * 86_400)

  /// A broker with a certificate, and what a client that trusts `authority` (else that certificate) says.
  private static func fault(
    names: [String] = ["localhost"], for certified: IPv4Address? = nil,
    at time: Timestamp = wallClock(), authority: String? = nil
  ) async throws -> Fault? {
    let address = PrivateBroker.randomAddress()
    let certificate = try Certificate.selfSigned(
      names: names, addresses: [(certified ?? address).text], at: time)
    return try await TestBroker.with(certificate: certificate, at: address) { broker in
      var settings = broker.settings("gateway")
      settings.tls = .authority(file: authority ?? broker.directory + "/server.crt")
      let client = Client(settings, now: wallClock)
      defer { Task { await client.stop() } }
      do throws(Fault) {
        try await client.connect()
        return nil
      } catch {
        return error
      }
    }
  }

  @Test("M08: is accepted when it is the trusted one, for our host, and of our time")
  func good() async throws {
    #expect(try await Self.fault() == nil)
  }

  @Test("M08: because it is for another name")
  func name() async throws {
    let fault = try await Self.fault(for: IPv4Address("192.0.2.1"))
    #expect(fault == Fault(.brokerCertificateName, "the certificate is for another name"))
  }

  @Test("M08: because it is not valid yet: our clock is old")
  func early() async throws {
    let fault = try await Self.fault(at: wallClock() + Self.year * 2)
    #expect(fault == Fault(.brokerCertificateTime, "the certificate is not valid yet"))
  }

  @Test("M08: because it has expired")
  func late() async throws {
    let fault = try await Self.fault(at: wallClock() - Self.year * 25)
    #expect(fault == Fault(.brokerCertificateTime, "the certificate has expired"))
  }

  @Test("M08: because nobody we trust has signed it")
  func unknown() async throws {
    let directory = try TemporaryDirectory()
    let other = try Certificate.selfSigned(names: ["other"], addresses: [], at: wallClock())
    try Files.write(
      Array(other.certificate.utf8), to: directory.file("other.crt"), mode: 0o600)
    let fault = try await Self.fault(authority: directory.file("other.crt"))
    #expect(fault?.code == .brokerTLS)
  }

  @Test("M08: or cannot be judged: the authority's file is missing, or no certificate")
  func unreadableAuthority() async throws {
    let directory = try TemporaryDirectory()
    #expect(
      try await Self.fault(authority: directory.file("none.crt"))?.code == .authorityUnreadable)
    try Files.write(Array("no certificate".utf8), to: directory.file("bad.crt"), mode: 0o600)
    #expect(
      try await Self.fault(authority: directory.file("bad.crt"))?.code == .authorityUnreadable)
  }

  @Test("M08: is judged afresh at each attempt: right again, it is accepted without a restart")
  func corrected() async throws {
    let address = PrivateBroker.randomAddress()
    let early = try Certificate.selfSigned(
      names: ["localhost"], addresses: [address.text], at: wallClock() + Self.year * 2)
    let clock = ManualClock()
    let directory = try TemporaryDirectory()
    let authority = directory.file("authority.crt")
    try Files.write(Array(early.certificate.utf8), to: authority, mode: 0o600)
    let settings = ClientSettings(
      host: address.text, clientID: "gateway", tls: .authority(file: authority),
      reconnection: everySecond)
    let client = Client(settings, clock: clock, now: wallClock)
    try await TestBroker.with(certificate: early, at: address) { _ in
      await client.start()
      await client.isDown(with: .brokerCertificateTime)
      await clock.sleeper(dueIn: .seconds(1))
    }
    let good = try Certificate.selfSigned(
      names: ["localhost"], addresses: [address.text], at: wallClock())
    try Files.write(Array(good.certificate.utf8), to: authority, mode: 0o600)
    try await TestBroker.with(certificate: good, at: address) { _ in
      clock.advance(by: .seconds(1))
      await client.isConnected()
      await client.stop()
    }
  }
}
