import Domain

extension Code {
  /// Reasons of IEEE 802.11 that nobody has met with this sensor: named, with general advice.
  static let wifiRareWords: [Code: CodeWords] = {
    let symbols: [(Int, String)] = [
      (1, "UNSPECIFIED"),
      (10, "DISASSOC_PWRCAP_BAD"),
      (11, "DISASSOC_SUPCHAN_BAD"),
      (13, "IE_INVALID"),
      (21, "UNSUPP_RSN_IE_VERSION"),
      (22, "INVALID_RSN_IE_CAP"),
      (25, "TDLS_PEER_UNREACHABLE"),
      (26, "TDLS_UNSPECIFIED"),
      (27, "SSP_REQUESTED_DISASSOC"),
      (28, "NO_SSP_ROAMING_AGREEMENT"),
      (29, "BAD_CIPHER_OR_AKM"),
      (30, "NOT_AUTHORIZED_THIS_LOCATION"),
      (31, "SERVICE_CHANGE_PRECLUDES_TS"),
      (32, "UNSPECIFIED_QOS"),
      (33, "NOT_ENOUGH_BANDWIDTH"),
      (35, "EXCEEDED_TXOP"),
      (36, "STA_LEAVING"),
      (37, "END_BA"),
      (38, "UNKNOWN_BA"),
      (46, "PEER_INITIATED"),
      (47, "AP_INITIATED"),
      (48, "INVALID_FT_ACTION_FRAME_COUNT"),
      (50, "INVALID_MDE"),
      (51, "INVALID_FTE"),
      (67, "TRANSMISSION_LINK_ESTABLISH_FAILED"),
      (68, "ALTERATIVE_CHANNEL_OCCUPIED"),
    ]
    return symbols.reduce(into: [:]) { table, row in
      let (reason, symbol) = row
      table[.wifi(reason: reason)] = CodeWords(
        Phrase(
          en: "The access point ended the connection (reason \(reason), \(symbol)).",
          fr: "Le point d’accès a mis fin à la connexion (raison \(reason), \(symbol))."),
        cause: Phrase(
          en: "A rare reason: the settings of the access point, or its firmware.",
          fr: "Une raison rare : les réglages du point d’accès, ou son firmware."),
        advice: Phrase(
          en: "Retry; restart the access point; set WPA2-PSK (AES) and 802.11 b/g/n.",
          fr: "Réessayez ; redémarrez le point d’accès ; réglez WPA2-PSK (AES) et 802.11 b/g/n."),
        symbol: symbol, part: .association)
    }
  }()
}
