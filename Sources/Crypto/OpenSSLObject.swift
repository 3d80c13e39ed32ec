import COpenSSL
import Domain

/// An object of libcrypto, freed with its owner.
struct OpenSSLObject: ~Copyable {
  let pointer: OpaquePointer
  private let free: (OpaquePointer?) -> Void

  /// - Parameter pointer: what a constructor of libcrypto answered; nil throws its error.
  init(_ pointer: OpaquePointer?, free: @escaping (OpaquePointer?) -> Void) throws(OpenSSLError) {
    guard let pointer else { throw OpenSSLError() }
    self.pointer = pointer
    self.free = free
  }

  deinit { free(pointer) }
}

/// The oldest error on this thread's queue of libcrypto, which is emptied.
struct OpenSSLError: Error, CustomStringConvertible {
  let description: String

  init() {
    var text = [CChar](repeating: 0, count: 256)
    let code = ERR_get_error()
    ERR_error_string_n(code, &text, text.count)
    ERR_clear_error()
    let words = text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    description = code == 0 ? "unknown error" : String(decoding: words, as: UTF8.self)
  }

  /// Throws unless `result` is libcrypto's 1.
  static func check(_ result: Int32) throws(OpenSSLError) {
    guard result == 1 else { throw OpenSSLError() }
  }
}

/// A memory buffer libcrypto reads PEM from and writes it to.
struct PEMBuffer: ~Copyable {
  let bio: OpaquePointer

  init(_ content: String = "") throws(OpenSSLError) {
    guard let bio = BIO_new(BIO_s_mem()) else { throw OpenSSLError() }
    self.bio = bio
    let bytes = Array(content.utf8)
    if !bytes.isEmpty { BIO_write(bio, bytes, Int32(bytes.count)) }
  }

  deinit { BIO_free(bio) }

  /// What was written; empties the buffer.
  func takeText() -> String {
    var bytes = [UInt8](repeating: 0, count: Int(BIO_ctrl_pending(bio)))
    let count = BIO_read(bio, &bytes, Int32(bytes.count))
    return String(decoding: bytes.prefix(Int(max(0, count))), as: UTF8.self)
  }
}
