import COpenSSL
import Domain
import Glibc

/// What a certificate says of itself: whom it names and until when.
package struct CertificateSummary: Hashable, Sendable {
  /// DNS names among the subject's alternative names.
  package let names: [String]
  /// IPv4 addresses among them, dotted.
  package let addresses: [String]
  package let notBefore: Timestamp
  package let notAfter: Timestamp

  /// - Parameter pem: a PEM text; its first certificate counts.
  /// - Throws: `SG-MQTT-323` when there is none.
  package init(pem: String) throws(Fault) {
    do {
      let buffer = try PEMBuffer(pem)
      let certificate = try OpenSSLObject(
        PEM_read_bio_X509(buffer.bio, nil, nil, nil), free: X509_free)
      notBefore = Self.time(X509_get0_notBefore(certificate.pointer))
      notAfter = Self.time(X509_get0_notAfter(certificate.pointer))
      (names, addresses) = Self.alternativeNames(of: certificate.pointer)
    } catch {
      throw Fault(.authorityUnreadable, "no certificate: \(error)")
    }
  }

  private static func time(_ time: UnsafePointer<ASN1_TIME>?) -> Timestamp {
    var parts = tm()
    ASN1_TIME_to_tm(time, &parts)
    return Timestamp(seconds: Int64(timegm(&parts)))
  }

  private static func alternativeNames(
    of certificate: OpaquePointer
  ) -> (names: [String], addresses: [String]) {
    guard let list = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else {
      return ([], [])
    }
    let stack = OpaquePointer(list)
    defer { GENERAL_NAMES_free(stack) }
    var names: [String] = []
    var addresses: [String] = []
    for index in 0..<OPENSSL_sk_num(stack) {
      let entry = OPENSSL_sk_value(stack, index)?.assumingMemoryBound(to: GENERAL_NAME.self)
      var kind: Int32 = 0
      guard let value = GENERAL_NAME_get0_value(entry, &kind) else { continue }
      let text = value.assumingMemoryBound(to: ASN1_STRING.self)
      let count = Int(ASN1_STRING_length(text))
      let bytes = Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: count))
      switch kind {
      case GEN_DNS: names.append(String(decoding: bytes, as: UTF8.self))
      case GEN_IPADD where bytes.count == 4:
        addresses.append(bytes.map(String.init).joined(separator: "."))
      default: break
      }
    }
    return (names, addresses)
  }
}
