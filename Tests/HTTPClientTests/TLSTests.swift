import Crypto
import Domain
import Foundation
import HTTPClient
import Host
import TestSupport
import Testing

/// A TLS server of OpenSSL's own, answering every request with a page.
private struct TLSServer {
  let url: String
  let authority: String
  private let directory: TemporaryDirectory
  private let process: ChildProcess

  /// - Parameter addresses: whom the certificate names.
  init(addresses: [String]) async throws {
    directory = try TemporaryDirectory()
    authority = directory.file("server.crt")
    let made = try Certificate.selfSigned(
      names: ["localhost"], addresses: addresses,
      at: Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
    try Files.write(Array(made.certificate.utf8), to: authority, mode: 0o600)
    let key = directory.file("server.key")
    try Files.write(Array(made.key.reveal().utf8), to: key, mode: 0o600)
    let output = Pipe()
    process = try ChildProcess(
      "openssl",
      ["s_server", "-accept", "127.0.0.1:0", "-cert", authority, "-key", key, "-www"],
      output: output.fileHandleForWriting.fileDescriptor)
    let line = await Self.line(of: output.fileHandleForReading)
    url = "https://127.0.0.1:\(line.split(separator: ":").last ?? "")/"
  }

  /// "ACCEPT 127.0.0.1:41234", read on a thread that may block.
  private static func line(of output: FileHandle) async -> String {
    await Blocking.run {
      var text = ""
      while !(text.contains("ACCEPT") && text.hasSuffix("\n")) {
        let piece = output.availableData
        guard !piece.isEmpty else { break }
        text += String(decoding: piece, as: UTF8.self)
      }
      return text.split(separator: "\n").last.map(String.init) ?? ""
    }
  }

  func stop() async {
    process.signal(SIGKILL)
    _ = await process.wait()
  }
}

@Suite("The courier over TLS", .timeLimit(.minutes(1)))
struct TLSTests {
  @Test("delivers to a server its authority vouches for")
  func isTrusted() async throws {
    let server = try await TLSServer(addresses: ["127.0.0.1"])
    let courier = CurlCourier(userAgent: "soundgate/test", authority: server.authority)
    #expect(try await courier.send(CourierRequest(method: "GET", url: server.url)).status == 200)
    await server.stop()
  }

  @Test("refuses a server nobody vouches for, or that names another host")
  func isRefused() async throws {
    let unknown = try await TLSServer(addresses: ["127.0.0.1"])
    let other = try await TLSServer(addresses: ["127.0.0.2"])
    for (courier, url) in [
      (CurlCourier(userAgent: "soundgate/test"), unknown.url),
      (CurlCourier(userAgent: "soundgate/test", authority: other.authority), other.url),
    ] {
      let fault = await #expect(throws: Fault.self) {
        try await courier.send(CourierRequest(url: url))
      }
      #expect(fault?.code == .backendTLS, "\(String(describing: fault))")
    }
    await unknown.stop()
    await other.stop()
  }
}
