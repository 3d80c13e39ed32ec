/// Something the world did to us, named by its stable code: the one error type that crosses a seam.
///
/// `detail` keeps the foreign words (a D-Bus error, a broker's line) for "details" in English; it is
/// never the only thing a person is shown, and never holds a secret.
package struct Fault: Error, Hashable, Sendable, Codable, CustomStringConvertible {
  package let code: Code
  package let detail: String

  package init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  package var description: String { detail.isEmpty ? "\(code)" : "\(code) \(detail)" }
}
