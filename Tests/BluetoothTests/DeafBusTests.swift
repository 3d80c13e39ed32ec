import Bluetooth
import Foundation
import Testing

@Suite("A bus that listens and never answers")
struct DeafBusTests {
  /// Its backlog takes the connection, and nobody ever reads from it.
  @Test("is given up", .timeLimit(.minutes(1)))
  func givenUp() async throws {
    let path = "/tmp/soundgate-deaf-\(UUID().uuidString)"
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(listener)
      unlink(path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    try #require(isBound && listen(listener, 1) == 0)
    let error = await #expect(throws: BusError.self) {
      _ = try await DBus.Connection.open("unix:path=\(path)", within: .milliseconds(20))
    }
    #expect(error?.standard == .timedOut)
  }
}
