import Glibc

/// The process's environment, read one name at a time.
package enum Environment {
  /// - Returns: nil when the name is unset or its value empty.
  package static subscript(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }
}
