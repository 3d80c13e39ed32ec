import Glibc

/// A file operation the system refused.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  package let operation: String
  package let path: String
  /// An `errno`.
  package let error: Int32

  package init(_ operation: String, _ path: String, error: Int32 = errno) {
    self.operation = operation
    self.path = path
    self.error = error
  }

  package var description: String { "\(operation) \(path): \(systemMessage(error))" }
}

/// The system's words for an `errno`: "Permission denied".
package func systemMessage(_ error: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  guard strerror_r(error, &buffer, buffer.count) == 0 else { return "error \(error)" }
  return buffer.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
