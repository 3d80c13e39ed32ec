import Domain

/// Why TLS did not come about, as far as libmosquitto and OpenSSL say.
struct TLSComplaint: Equatable {
  enum Kind: Int {
    case other
    case certificate
    case authority
    case time
    case name
  }

  let kind: Kind
  let detail: String

  /// - Parameters:
  ///   - text: an error line of libmosquitto's log.
  ///   - verdict: OpenSSL's verdict on the certificate (`X509_V_ERR_…`, x509_vfy.h); 0 is none.
  init?(text: String, verdict: Int) {
    switch verdict {
    case 9: (kind, detail) = (.time, "the certificate is not valid yet")
    case 10: (kind, detail) = (.time, "the certificate has expired")
    case 62, 64: (kind, detail) = (.name, "the certificate is for another name")
    default:
      if text.contains("host name verification") {
        (kind, detail) = (.name, "the certificate is for another name")
      } else if text.contains("Unable to load CA") {
        (kind, detail) = (.authority, text)
      } else if verdict != 0 {
        (kind, detail) = (.certificate, "the certificate is not trusted (X.509 verdict \(verdict))")
      } else if text.contains("OpenSSL") || text.contains("TLS") {
        (kind, detail) = (.other, text)
      } else {
        return nil
      }
    }
  }

  /// OpenSSL says the same failure several times, least precisely last.
  func outranks(_ earlier: TLSComplaint?) -> Bool {
    earlier.map { kind.rawValue > $0.kind.rawValue } ?? true
  }

  var fault: Fault {
    switch kind {
    case .name: Fault(.brokerCertificateName, detail)
    case .time: Fault(.brokerCertificateTime, detail)
    case .authority: Fault(.authorityUnreadable, detail)
    case .certificate, .other: Fault(.brokerTLS, detail)
    }
  }
}
