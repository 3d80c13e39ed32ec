import Foundation

/// Texts in which secrets are looked for, each with the place it was found at.
struct Haystack: Sendable {
  private(set) var places: [(name: String, bytes: [UInt8])] = []

  mutating func add(_ name: String, _ text: String) { places.append((name, Array(text.utf8))) }

  mutating func add(_ name: String, bytes: [UInt8]) { places.append((name, bytes)) }

  /// Every file below a directory.
  mutating func add(filesBelow directory: String) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: directory) {
      // Sockets and what vanishes meanwhile have nothing to read.
      guard let data = FileManager.default.contents(atPath: "\(directory)/\(path)") else {
        continue
      }
      add(path, bytes: Array(data))
    }
  }

  /// Command lines and environments of every process that can be looked into.
  mutating func addProcesses() throws {
    for pid in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard pid.allSatisfy(\.isNumber) else { continue }
      for part in ["cmdline", "environ"] {
        if let bytes = Self.read("/proc/\(pid)/\(part)") { add("\(part) of \(pid)", bytes: bytes) }
      }
    }
  }

  /// The places where a secret stands: as it is, in hexadecimal digits or in Base64.
  func places(of needle: String) -> [String] {
    let data = Data(needle.utf8)
    let hexadecimal = data.map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }.joined()
    let forms = [data, Data(hexadecimal.utf8), data.base64EncodedData()]
    return places.filter { place in
      let hay = Data(place.bytes)
      return forms.contains { hay.range(of: $0) != nil }
    }.map(\.name)
  }

  /// Files of `/proc` have no size, and their process may be gone.
  private static func read(_ path: String) -> [UInt8]? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    return (try? file.readToEnd()).map { Array($0) }
  }
}
