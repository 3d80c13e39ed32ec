import Domain

/// A line of Mosquitto's log, as `$SYS/broker/log/#` carries it, read for what it says of a connection.
///
/// Versions differ in whether a line names the client, its address in brackets, both or neither; the
/// words that are looked for are common to 2.0 and 2.1.
package enum BrokerLogLine {
  /// - Returns: nil for a line that is not about a connection.
  package static func event(in line: some StringProtocol) -> BrokerEvent? {
    let text = withoutTime(line[...])
    if let rest = text.after("New connection from ") {
      return ip(before: " on port ", in: rest).map { .opened(ip: $0) }
    }
    if let rest = text.after("New client connected from ") { return connected(rest) }
    if text.contains("OpenSSL Error") || text.hasPrefix("TLS ") {
      return .tlsFailed(ip: bracketedIP(in: text), detail: String(text))
    }
    guard let rest = text.after("Client ") else { return nil }
    return ended(rest)
  }

  /// `1796073532: ` or `2026-11-30T21:00:00: ` in front of the words.
  private static func withoutTime(_ line: some StringProtocol) -> Substring {
    let line = Substring(line)
    guard let colon = line.firstRange(of: ": "),
      line[..<colon.lowerBound].allSatisfy({ $0.isNumber || "-T:+Z.".contains($0) })
    else { return line }
    return line[colon.upperBound...]
  }

  /// `192.0.2.7:40122 as ESP32C3-A (p2, c1, k15, u'A-1').`
  private static func connected(_ rest: Substring) -> BrokerEvent? {
    guard let ip = ip(before: " as ", in: rest), let name = rest.firstRange(of: " as ") else {
      return nil
    }
    let named = rest[name.upperBound...]
    // A client id may hold a parenthesis; the broker's own starts the last one.
    guard let end = named.ranges(of: " (p").last else { return nil }
    let user = named[end.upperBound...].firstRange(of: "u'").flatMap { quote in
      let text = named[quote.upperBound...]
      return text.lastIndex(of: "'").map { String(text[..<$0]) }
    }
    return .connected(ip: ip, client: String(named[..<end.lowerBound]), user: user)
  }

  /// `<unknown> disconnected, not authorised.`, `A [192.0.2.7:40122] disconnected: …`,
  /// `A closed its connection.`
  private static func ended(_ rest: Substring) -> BrokerEvent? {
    let endings = [" disconnected", " closed its connection", " has exceeded timeout"]
    guard let end = endings.lazy.compactMap({ rest.ranges(of: $0).last }).first else { return nil }
    let ip = bracketedIP(in: rest)
    var name = rest[..<end.lowerBound]
    if ip != nil, let bracket = name.ranges(of: " [").last { name = name[..<bracket.lowerBound] }
    let client = name == "<unknown>" ? nil : String(name)
    if rest[end.lowerBound...].contains("not authorised") {
      return .refused(ip: ip, client: client, detail: "Client \(rest)")
    }
    return .closed(client: client, ip: ip)
  }

  /// The address of `192.0.2.7:40122` or `[2001:db8::1]:40122` in front of `mark`.
  private static func ip(before mark: String, in text: Substring) -> String? {
    guard let end = text.firstRange(of: mark) else { return nil }
    return ip(ofEndpoint: text[..<end.lowerBound])
  }

  private static func bracketedIP(in text: Substring) -> String? {
    guard let start = text.ranges(of: " [").last,
      let end = text[start.upperBound...].firstIndex(of: "]")
    else { return nil }
    return ip(ofEndpoint: text[start.upperBound..<end])
  }

  private static func ip(ofEndpoint endpoint: Substring) -> String? {
    guard let colon = endpoint.lastIndex(of: ":") else { return nil }
    var ip = endpoint[..<colon]
    if ip.hasPrefix("["), ip.hasSuffix("]") { ip = ip.dropFirst().dropLast() }
    // A listener for both families sees an IPv4 peer so.
    if ip.hasPrefix("::ffff:"), ip.contains(".") { ip = ip.dropFirst("::ffff:".count) }
    return ip.isEmpty ? nil : String(ip)
  }
}

extension Substring {
  /// What follows `prefix`; nil when the text does not start with it.
  fileprivate func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
