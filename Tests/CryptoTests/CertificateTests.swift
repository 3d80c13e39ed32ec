import Crypto
import Domain
import Foundation
import Host
import TestSupport
import Testing

@Suite("A broker's own certificate")
struct CertificateTests {
  private let now = Timestamp(seconds: 1_900_000_000)
  private let names = ["gate.local", "localhost"]
  private let addresses = ["192.168.1.20", "127.0.0.1"]

  @Test("names its hosts, and is good from a day before for twenty years")
  func isNamed() throws {
    let made = try Certificate.selfSigned(names: names, addresses: addresses, at: now)
    let summary = try CertificateSummary(pem: made.certificate)
    #expect(summary.names == names)
    #expect(summary.addresses == addresses)
    #expect(summary.notBefore == Timestamp(seconds: 1_900_000_000 - 86_400))
    #expect(summary.notAfter == Timestamp(seconds: 1_900_000_000 + 20 * 365 * 86_400))
  }

  @Test("is accepted by OpenSSL for its name and address, as its own authority")
  func isVerified() async throws {
    let directory = try TemporaryDirectory()
    let made = try Certificate.selfSigned(
      names: names, addresses: addresses,
      at: Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
    let path = directory.file("broker.crt")
    try Data(made.certificate.utf8).write(to: URL(fileURLWithPath: path))
    for check in [["-verify_hostname", "gate.local"], ["-verify_ip", "192.168.1.20"]] {
      let verify =
        ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", path] + check + [path]
      #expect(try await openssl(verify).status == 0)
    }
    #expect(
      try await openssl(["verify", "-CAfile", path, "-verify_hostname", "other", path]).status != 0)
    let text = try await openssl(["x509", "-in", path, "-noout", "-text"]).output
    #expect(text.contains("Version: 3 (0x2)"))
    #expect(text.contains("TLS Web Server Authentication"))
    #expect(text.contains("ASN1 OID: prime256v1"))
  }

  @Test("has a serial and a key of its own, which signs what its certificate verifies")
  func hasKey() async throws {
    let directory = try TemporaryDirectory()
    let made = try Certificate.selfSigned(names: names, addresses: [], at: now)
    let other = try Certificate.selfSigned(names: names, addresses: [], at: now)
    #expect(made.key != other.key)
    let key = directory.file("broker.key")
    let certificate = directory.file("broker.crt")
    try Data(made.key.reveal().utf8).write(to: URL(fileURLWithPath: key))
    try Data(made.certificate.utf8).write(to: URL(fileURLWithPath: certificate))
    let ofKey = try await openssl(["pkey", "-in", key, "-pubout"]).output
    let ofCertificate = try await openssl(["x509", "-in", certificate, "-noout", "-pubkey"]).output
    #expect(!ofKey.isEmpty && ofKey == ofCertificate)
  }

  @Test(
    "is not made for what is no name or address",
    arguments: [
      (["a,IP:1.2.3.4"], []), ([""], []), ([], ["127.0.0.1"]), (["a b"], []),
      (["localhost"], ["::1"]), (["localhost"], ["1.2.3"]), (["localhost"], ["1.2.3.256"]),
      (["localhost"], ["+1.2.3.4"]),
    ] as [([String], [String])])
  func isRefused(names: [String], addresses: [String]) {
    let fault = #expect(throws: Fault.self) {
      try Certificate.selfSigned(names: names, addresses: addresses, at: now)
    }
    #expect(fault?.code == .configuration)
  }

  @Test("is recognised as absent", arguments: ["", "hello", "-----BEGIN CERTIFICATE-----\nAAAA\n"])
  func isAbsent(pem: String) {
    let fault = #expect(throws: Fault.self) { try CertificateSummary(pem: pem) }
    #expect(fault?.code == .authorityUnreadable)
  }

  private func openssl(
    _ arguments: [String]
  ) async throws -> (status: Int32, output: String) {
    let directory = try TemporaryDirectory()
    let path = directory.file("output")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    let status = try await ChildProcess(
      "openssl", arguments, output: output.fileDescriptor
    ).wait()
    return (status, try String(contentsOfFile: path, encoding: .utf8))
  }
}
