import COpenSSL
import Domain

/// A TLS server's certificate (X.509 v3, RFC 5280) and, when it is ours, its key.
package struct Certificate: Sendable {
  /// PEM.
  package let certificate: String
  /// PEM, PKCS #8.
  package let key: Secret

  /// A P-256 key and a certificate it signs itself, for 20 years.
  ///
  /// It begins a day early: a board without a battery may come up with yesterday's time.
  ///
  /// - Parameters:
  ///   - names: DNS names; the first is the subject.
  ///   - addresses: dotted IPv4.
  /// - Throws: `SG-INPUT-020` for a name or an address that is none.
  package static func selfSigned(
    names: [String], addresses: [String], at now: Timestamp
  ) throws(Fault) -> Certificate {
    guard let subject = names.first, names.allSatisfy(isDNSName), addresses.allSatisfy(isIPv4)
    else {
      throw Fault(
        .configuration,
        "not names and IPv4 addresses for a certificate: \((names + addresses).joined(separator: ", "))"
      )
    }
    do {
      let key = try makeKey()
      let certificate = try make(
        subject: subject,
        alternatives: names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }, key: key, at: now)
      return Certificate(
        certificate: try pem { PEM_write_bio_X509($0, certificate.pointer) },
        key: Secret(
          try pem { PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) }))
    } catch {
      throw Fault(.internalFault, "certificate: \(error)")
    }
  }

  private static func makeKey() throws(OpenSSLError) -> OpenSSLObject {
    let context = try OpenSSLObject(
      EVP_PKEY_CTX_new_from_name(nil, "EC", nil), free: EVP_PKEY_CTX_free)
    try OpenSSLError.check(EVP_PKEY_keygen_init(context.pointer))
    try OpenSSLError.check(EVP_PKEY_CTX_set_group_name(context.pointer, "P-256"))
    var key: OpaquePointer?
    try OpenSSLError.check(EVP_PKEY_generate(context.pointer, &key))
    return try OpenSSLObject(key, free: EVP_PKEY_free)
  }

  private static func make(
    subject: String, alternatives: [String], key: borrowing OpenSSLObject, at now: Timestamp
  ) throws(OpenSSLError) -> OpenSSLObject {
    let certificate = try OpenSSLObject(X509_new(), free: X509_free)
    let pointer = certificate.pointer
    try OpenSSLError.check(X509_set_version(pointer, 2))
    try setSerial(of: pointer)
    let seconds = Int(now.milliseconds / 1000)
    ASN1_TIME_set(X509_getm_notBefore(pointer), seconds - 86_400)
    ASN1_TIME_set(X509_getm_notAfter(pointer), seconds + 20 * 365 * 86_400)
    let name = X509_get_subject_name(pointer)
    // A common name holds 64 characters; what counts is the alternative name.
    let common = Array(subject.utf8.prefix(64))
    try OpenSSLError.check(
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, common, Int32(common.count), -1, 0))
    try OpenSSLError.check(X509_set_issuer_name(pointer, name))
    try OpenSSLError.check(X509_set_pubkey(pointer, key.pointer))
    for (kind, value) in [
      (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
      (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
      (NID_subject_alt_name, alternatives.joined(separator: ",")),
    ] {
      try add(kind, value, to: pointer)
    }
    guard X509_sign(pointer, key.pointer, EVP_sha256()) > 0 else { throw OpenSSLError() }
    return certificate
  }

  private static func setSerial(of certificate: OpaquePointer) throws(OpenSSLError) {
    var bytes = RandomBytes.make(16)
    // Positive and never zero in front, so that its DER form is 16 bytes.
    bytes[0] = bytes[0] & 0x7f | 0x40
    let number = try OpenSSLObject(BN_bin2bn(bytes, Int32(bytes.count), nil), free: BN_free)
    guard BN_to_ASN1_INTEGER(number.pointer, X509_get_serialNumber(certificate)) != nil else {
      throw OpenSSLError()
    }
  }

  private static func add(
    _ kind: Int32, _ value: String, to certificate: OpaquePointer
  ) throws(OpenSSLError) {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, certificate, certificate, nil, nil, 0)
    let ext = try OpenSSLObject(
      X509V3_EXT_nconf_nid(nil, &context, kind, value), free: X509_EXTENSION_free)
    try OpenSSLError.check(X509_add_ext(certificate, ext.pointer, -1))
  }

  private static func pem(
    _ write: (OpaquePointer) -> Int32
  ) throws(OpenSSLError) -> String {
    let buffer = try PEMBuffer()
    try OpenSSLError.check(write(buffer.bio))
    return buffer.takeText()
  }

  /// The values go into libcrypto's own little language, where a comma would begin another one.
  private static func isDNSName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 253
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_")
      }
  }

  private static func isIPv4(_ address: String) -> Bool {
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt8($0) != nil }
  }
}
