import Testing

@Suite("The sources")
struct SourceRuleTests {
  /// What each target may import beside itself: the table of `docs/style.md`'s first rule.
  static let imports: [String: Set<String>] = [
    "Domain": ["FoundationEssentials"],
    "Host": ["CLinux", "Dispatch", "Glibc", "FoundationEssentials", "Synchronization"],
    "Texts": ["Domain", "FoundationEssentials"],
    "Storage": system.union(["Domain", "Host", "CSQLite"]),
    "Bluetooth": system.union(["Domain", "Host", "CDBus"]),
    "MQTT": system.union(["Domain", "Host", "Crypto", "CMosquitto"]),
    "HTTPClient": system.union(["Domain", "Host", "CCurl"]),
    "Crypto": system.union(["Domain", "Host", "CSodium", "COpenSSL"]),
    "Simulator": system.union(["Domain", "Host", "Bluetooth", "MQTT"]),
    "Services": system.union(["Domain", "Host", "Storage", "Crypto", "Texts"]),
    "Web": system.union([
      "Domain", "Host", "Storage", "Services", "Crypto", "Texts", "CMicroHTTPD",
    ]),
    "soundgate": system.union([
      "Domain", "Host", "Texts", "Storage", "Bluetooth", "MQTT", "HTTPClient", "Crypto",
      "Simulator", "Services", "Web",
    ]),
  ]

  /// What the toolchain brings. Full Foundation would add 45 MB to the program.
  static let system: Set<String> = ["Dispatch", "Glibc", "FoundationEssentials", "Synchronization"]

  /// Where an unsafe construct is allowed, and why it must be there.
  static var unsafe: [(construct: String, pattern: Regex<Substring>, files: Set<String>)] {
    [
      // The callbacks of libmosquitto and of libmicrohttpd.
      (
        "Unmanaged", /\bUnmanaged\b/,
        ["Sources/MQTT/Client/Inbox.swift", "Sources/Web/HTTP/Server+Callbacks.swift"]
      ),
      (
        "nonisolated(unsafe)", /\bnonisolated\(unsafe\)/,
        ["Sources/Web/HTTP/Server+Callbacks.swift"]
      ),
      ("@unchecked Sendable", /@unchecked\b/, []),
      ("unsafeBitCast", /\bunsafe(?:Bit|Down)[cC]ast\b/, []),
      ("try!", /\btry!/, []),
      ("as!", /\bas!/, []),
    ]
  }

  /// Who may read a secret: each sends it to its addressee or seals it.
  static let revealing: Set<String> = [
    "Sources/Crypto/PasswordHash.swift",
    "Sources/Crypto/SealKey.swift",
    "Sources/Crypto/Signature.swift",
    "Sources/Domain/Enrolment/MQTTCredentials.swift",
    "Sources/Domain/Enrolment/SensorProfile.swift",
    "Sources/Domain/Enrolment/WiFiCredentials.swift",
    "Sources/Domain/Secret.swift",
    "Sources/MQTT/Accounts/DynamicSecurity.swift",
    "Sources/MQTT/Client/Session.swift",
    "Sources/MQTT/LocalBroker/BrokerCredentials.swift",
    "Sources/MQTT/LocalBroker/BrokerSetup.swift",
    "Sources/soundgate/Commands/BackendCommand.swift",
    "Sources/soundgate/Commands/Enrol/EnrolmentGuide+Answers.swift",
    "Sources/soundgate/Demo/DemoStage.swift",
    "Sources/soundgate/Demo/DemoVisit.swift",
  ]

  @Test("import only what their target may")
  func importsFollowTheTable() throws {
    for file in try Tree.swiftFiles(below: "Sources") {
      let allowed = try #require(
        Self.imports[file.target], "a target without a row in the table: \(file)")
      for module in modules(importedBy: file) {
        #expect(allowed.contains(module), "\(file) imports \(module)")
      }
    }
  }

  @Test("have files of at most 300 lines, tests included")
  func filesAreShort() throws {
    for file in try Tree.swiftFiles(below: "Sources") + Tree.swiftFiles(below: "Tests") {
      let lines = file.text.count { $0 == "\n" }
      #expect(lines <= 300, "\(file) has \(lines) lines")
    }
  }

  @Test("are unsafe only where it is known")
  func unsafeConstructsAreListed() throws {
    for file in try Tree.swiftFiles(below: "Sources") {
      for (construct, pattern, files) in Self.unsafe where !files.contains(file.path) {
        let lines = file.lines(matching: pattern)
        #expect(lines.isEmpty, "\(construct) in \(file), lines \(lines)")
      }
    }
  }

  @Test("reveal secrets only where it is known")
  func secretsAreRevealedInFewFiles() throws {
    for file in try Tree.swiftFiles(below: "Sources") where !Self.revealing.contains(file.path) {
      let lines = file.lines(matching: /\breveal\(\)/)
      #expect(lines.isEmpty, "reveal() in \(file), lines \(lines)")
    }
  }

  @Test("that have a Mutex are those that the thread sanitizer is told of")
  func mutexesAreListed() throws {
    let holders = try (Tree.swiftFiles(below: "Sources") + Tree.swiftFiles(below: "Tests"))
      .filter { !$0.lines(matching: /\bMutex\b/).isEmpty }
      .map { $0.path.split(separator: "/").last.map(String.init) ?? "" }
    let listed = try Tree.text(of: ".ci/thread-sanitizer.txt").split(separator: "\n")
      .compactMap { $0.wholeMatch(of: /race:(.+)/).map { String($0.output.1) } }
    #expect(Set(listed) == Set(holders))
    #expect(listed.count == holders.count, "two files of one name, or one listed twice")
  }

  @Test("offer themselves to the package, not to the public")
  func accessIsPackage() throws {
    for file in try Tree.swiftFiles(below: "Sources") {
      let lines = file.lines(matching: /\b(?:public|open) (?:\w+ )*(?:\w+)\b/)
      #expect(lines.isEmpty, "public or open in \(file), lines \(lines)")
    }
  }

  /// `ServiceManager` is what systemd calls itself.
  @Test("bear no names that say nothing")
  func namesSaySomething() throws {
    let hollow =
      /\b(?:struct|class|enum|actor|protocol) (?!ServiceManager\b)\w*(?:Manager|Helper|Utils?|Impl)\b|\bfunc get[A-Z]/
    for file in try Tree.swiftFiles(below: "Sources") {
      let lines = file.lines(matching: hollow)
      #expect(lines.isEmpty, "\(file), lines \(lines)")
    }
  }

  @Test("know nothing of the machine they were written on")
  func noMachinePaths() throws {
    let folders = ["Sources", "Tests", "systemd", "udev", "docs", ".ci"]
    // Put together here so that this file does not hold what it looks for.
    let foreign = ["/wo" + "rk/", "/tmp/" + "wt/", "/opt/" + "swift/usr/lib"]
    for path in try folders.flatMap(Tree.files(below:)) + ["README.md", "Makefile"] {
      let text = try Tree.text(of: path)
      for place in foreign { #expect(!text.contains(place), "\(path) names \(place)") }
    }
  }
}

/// The modules a file imports, attributes and access before `import` allowed.
func modules(importedBy file: SwiftFile) -> [String] {
  file.code.matches(
    of:
      /(?m)^[ \t]*(?:@\w+(?:\([^)]*\))? +)*(?:\w+ +)?import +(?:(?:struct|class|enum|func|protocol|var|let|typealias) +)?(\w+)/
  ).map { String($0.output.1) }
}
