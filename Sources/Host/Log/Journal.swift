import Glibc

/// The journal's own entrance: one datagram per record, with its fields
/// (systemd, "Native Journal Protocol").
package struct Journal: ~Copyable, Sendable {
  private let socket: DatagramSocket

  package init?(socket path: String = "/run/systemd/journal/socket") {
    guard let socket = DatagramSocket(to: path) else { return nil }
    self.socket = socket
  }

  /// Whether `descriptor` is the stream systemd connected to the journal.
  ///
  /// - Parameter stream: `JOURNAL_STREAM`, `device:inode` in decimal; a program whose output was
  ///   redirected since has another one (systemd.exec(5)).
  package static func isBehind(descriptor: Int32, stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// False when the journal did not take it.
  package func send(_ record: LogRecord) -> Bool {
    socket.send(Self.datagram(of: record))
  }

  static func datagram(of record: LogRecord) -> [UInt8] {
    var bytes: [UInt8] = []
    append("MESSAGE", record.text, to: &bytes)
    append("PRIORITY", "\(record.level.rawValue)", to: &bytes)
    append("SYSLOG_IDENTIFIER", "soundgate", to: &bytes)
    append("SOUNDGATE_COMPONENT", record.component, to: &bytes)
    for field in record.fields {
      append("SOUNDGATE_\(name(field.key))", field.value, to: &bytes)
    }
    return bytes
  }

  /// A value with a line break goes with its length in front, any other as `NAME=value`.
  private static func append(_ name: String, _ value: String, to bytes: inout [UInt8]) {
    let value = Array(value.utf8)
    bytes += name.utf8
    if value.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The journal drops a field whose name has anything but A–Z, 0–9 and `_`.
  private static func name(_ key: String) -> String {
    String(key.uppercased().map { ("A"..."Z").contains($0) || ("0"..."9").contains($0) ? $0 : "_" })
  }
}
