/// As much of YAML as `docs/api/openapi.yaml` uses: mappings and lists in blocks and in braces, plain and
/// double-quoted text, literal blocks (whose text is let go).
indirect enum YAML: Hashable {
  case text(String)
  case list([YAML])
  case map([String: YAML])

  subscript(key: String) -> YAML? {
    if case .map(let members) = self { members[key] } else { nil }
  }

  subscript(path: [String]) -> YAML? {
    path.reduce(Optional(self)) { $0?[$1] }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var keys: [String] {
    if case .map(let members) = self { members.keys.sorted() } else { [] }
  }

  /// What is not of this subset.
  struct Unreadable: Error {
    let line: Int
    let why: String
  }

  init(parsing text: String) throws {
    var blocks = Blocks(text)
    self = try blocks.read()
  }
}

/// Reads what is laid out by indentation.
private struct Blocks {
  private struct Line {
    let number: Int
    let indent: Int
    let text: Substring
  }

  private let lines: [Line]
  private var index = 0

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .compactMap { number, line in
        let text = line.drop { $0 == " " }
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        return Line(number: number + 1, indent: line.count - text.count, text: text)
      }
  }

  mutating func read() throws -> YAML {
    guard index < lines.count else { return .map([:]) }
    let indent = lines[index].indent
    return lines[index].text.hasPrefix("- ") ? try list(at: indent) : try map(at: indent)
  }

  private mutating func list(at indent: Int) throws -> YAML {
    var items: [YAML] = []
    while index < lines.count, lines[index].indent == indent, lines[index].text.hasPrefix("- ") {
      items.append(try flow(lines[index].text.dropFirst(2)))
      index += 1
    }
    return .list(items)
  }

  private mutating func map(at indent: Int) throws -> YAML {
    var members: [String: YAML] = [:]
    while index < lines.count, lines[index].indent == indent {
      let (key, rest) = try split(lines[index])
      guard members[key] == nil else { throw unreadable("“\(key)” again") }
      if rest == "|" {
        skip(below: indent)
        members[key] = .text("")
      } else if rest.isEmpty {
        index += 1
        let isNested = index < lines.count && lines[index].indent > indent
        members[key] = isNested ? try read() : .text("")
      } else {
        members[key] = try flow(rest)
        index += 1
      }
    }
    guard index >= lines.count || lines[index].indent < indent else {
      throw unreadable("indented otherwise")
    }
    return .map(members)
  }

  private mutating func skip(below indent: Int) {
    repeat { index += 1 } while index < lines.count && lines[index].indent > indent
  }

  private func split(_ line: Line) throws -> (key: String, rest: Substring) {
    if line.text.hasSuffix(":"), !line.text.contains(": ") {
      return (unquoted(line.text.dropLast()), "")
    }
    guard let colon = line.text.firstRange(of: ": ") else { throw unreadable("no key") }
    let rest = line.text[colon.upperBound...].drop { $0 == " " }
    return (unquoted(line.text[..<colon.lowerBound]), rest)
  }

  private func unquoted(_ key: Substring) -> String {
    String(key.hasPrefix("\"") && key.hasSuffix("\"") ? key.dropFirst().dropLast() : key)
  }

  private func flow(_ text: Substring) throws -> YAML {
    guard let first = text.first, "{[\"".contains(first) else { return .text(String(text)) }
    var flow = Flow(rest: text)
    guard let value = flow.value(), flow.isAtEnd else { throw unreadable("“\(text)”") }
    return value
  }

  private func unreadable(_ why: String) -> YAML.Unreadable {
    YAML.Unreadable(line: lines[min(index, lines.count - 1)].number, why: why)
  }
}

/// Reads what stands in braces and brackets; nil where it is not of its form.
private struct Flow {
  var rest: Substring

  var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

  mutating func value() -> YAML? {
    skipSpace()
    switch rest.first {
    case "{": return map()
    case "[": return list()
    case "\"": return quoted().map(YAML.text)
    default: return .text(plain())
    }
  }

  private mutating func map() -> YAML? {
    rest.removeFirst()
    var members: [String: YAML] = [:]
    while !take("}") {
      if !members.isEmpty, !take(",") { return nil }
      skipSpace()
      guard let key = rest.first == "\"" ? quoted() : plain(until: ":"), take(":"),
        let value = value()
      else { return nil }
      members[key] = value
    }
    return .map(members)
  }

  private mutating func list() -> YAML? {
    rest.removeFirst()
    var items: [YAML] = []
    while !take("]") {
      if !items.isEmpty, !take(",") { return nil }
      guard let value = value() else { return nil }
      items.append(value)
    }
    return .list(items)
  }

  private mutating func quoted() -> String? {
    let body = rest.dropFirst()
    guard let end = body.firstIndex(of: "\"") else { return nil }
    rest = body[body.index(after: end)...]
    return String(body[..<end])
  }

  private mutating func plain(until ends: String = ",}]") -> String {
    let word = rest.prefix { !ends.contains($0) }
    rest = rest.dropFirst(word.count)
    return String(word.reversed().drop { $0 == " " }.reversed())
  }

  private mutating func take(_ character: Character) -> Bool {
    skipSpace()
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func skipSpace() { rest = rest.drop { $0 == " " } }
}
