import Domain
import FoundationEssentials
import Glibc
import Texts

extension Configuration {
  /// Everything that is wrong with a file, each with its line.
  package struct Invalid: Error, Equatable {
    package let file: String
    package let problems: [INI.Problem]

    /// One `file:line: message` a line.
    package var lines: [Phrase] {
      problems.map { problem in
        let place = "\(file):\(problem.line): "
        return Phrase(
          en: place + problem.message.english.visible, fr: place + problem.message.french.visible)
      }
    }
  }

  /// Reads a file; an unknown key, a doubled key and a value out of range are errors.
  package init(parsing text: String, file: String) throws(Invalid) {
    self.init()
    var ini = INI(parsing: text)
    for entry in ini.entries {
      guard let key = Self.keys["\(entry.section).\(entry.key)"] else {
        ini.problems.append(INI.Problem(line: entry.line, message: Self.unknown(entry)))
        continue
      }
      if let expected = key.apply(&self, entry.value) {
        ini.problems.append(
          INI.Problem(
            line: entry.line,
            message: Phrase(
              en: "\(entry.key) = \(entry.value): expected \(expected.english)",
              fr: "\(entry.key) = \(entry.value) : attendu \(expected.french)")))
      }
    }
    let brokerKeys = ini.entries.filter { $0.section == "broker" }
    // A site's broker may well run on this machine; that it does must be said.
    if broker.mode == .site, broker.user == nil || !brokerKeys.contains(where: { $0.key == "host" })
    {
      let line = brokerKeys.first { $0.key == "mode" }?.line ?? 1
      ini.problems.append(
        INI.Problem(
          line: line,
          message: Phrase(
            en: "mode = site needs host and user", fr: "mode = site exige host et user")))
    }
    guard ini.problems.isEmpty else {
      throw Invalid(file: file, problems: ini.problems.sorted { $0.line < $1.line })
    }
  }

  private static func unknown(_ entry: INI.Entry) -> Phrase {
    let known = keys.keys.filter { $0.hasPrefix("\(entry.section).") }
      .map { String($0.dropFirst(entry.section.count + 1)) }.sorted()
    if known.isEmpty {
      let sections = Set(keys.keys.compactMap { $0.split(separator: ".").first.map(String.init) })
      let names = sections.sorted().joined(separator: ", ")
      return Phrase(
        en: "unknown section [\(entry.section)]; sections are \(names)",
        fr: "section [\(entry.section)] inconnue ; les sections sont \(names)")
    }
    let names = known.joined(separator: ", ")
    return Phrase(
      en: "unknown key “\(entry.key)” in [\(entry.section)]; keys are \(names)",
      fr: "clé « \(entry.key) » inconnue dans [\(entry.section)] ; les clés sont \(names)")
  }

  /// How one key is applied; answers what was expected when the value will not do.
  package struct Key: Sendable {
    package let apply: @Sendable (inout Configuration, String) -> Phrase?
  }

  package static let keys: [String: Key] = [
    "site.name": Key { configuration, value in
      do throws(SensorName.Invalid) {
        configuration.site.name = try SensorName(value).text
        return nil
      } catch {
        return Phrase(
          en: "1 to 64 characters, none of them invisible",
          fr: "1 à 64 caractères, aucun invisible")
      }
    },
    "site.timezone": Key { configuration, value in
      guard isTimeZone(value) else {
        return Phrase(
          en: "an IANA time zone, such as Europe/Paris", fr: "un fuseau IANA, comme Europe/Paris")
      }
      configuration.site.timeZone = value
      return nil
    },
    "bluetooth.adapter": Key { configuration, value in
      guard let address = BluetoothAddress(value) else {
        return Phrase(
          en: "an adapter's address, such as AA:BB:CC:DD:EE:FF",
          fr: "une adresse d’adaptateur, comme AA:BB:CC:DD:EE:FF")
      }
      configuration.bluetooth.adapter = address
      return nil
    },
    "bluetooth.links": number(\.bluetooth.links, 1...7),
    "bluetooth.bus": optional(\.bluetooth.bus),
    "broker.mode": Key { configuration, value in
      guard let mode = BrokerPart.Mode(rawValue: value) else {
        return Phrase(en: "local or site", fr: "local ou site")
      }
      configuration.broker.mode = mode
      return nil
    },
    "broker.host": text(\.broker.host),
    "broker.sensor-address": Key { configuration, value in
      guard isIPv4(value) else {
        return Phrase(
          en: "an IPv4 address, such as 192.168.1.10", fr: "une adresse IPv4, comme 192.168.1.10")
      }
      configuration.broker.sensorAddress = value
      return nil
    },
    "broker.port": number(\.broker.port, 1...65535),
    "broker.ca": optional(\.broker.authority),
    "broker.user": optional(\.broker.user),
    "broker.password-file": optional(\.broker.passwordFile),
    "broker.directory": text(\.broker.directory),
    "storage.directory": text(\.storage.directory),
    "storage.retention-days": Key { configuration, value in
      guard let days = Int(value), (1...3650).contains(days) else {
        return Phrase(en: "1 to 3650 days", fr: "1 à 3650 jours")
      }
      configuration.storage.retention = .seconds(days * 86_400)
      return nil
    },
    "control.socket": text(\.control.socket),
    "control.group": text(\.control.group),
    "enrolment.connect-attempt": seconds(\.enrolment.link.attempt),
    "enrolment.connect": seconds(\.enrolment.link.total),
    "enrolment.services": seconds(\.enrolment.link.services),
    "enrolment.operation": seconds(\.enrolment.link.operation),
    "enrolment.wifi-start": seconds(\.enrolment.wifiStart),
    "enrolment.wifi-silence": seconds(\.enrolment.wifiSilence),
    "enrolment.wifi": seconds(\.enrolment.wifi),
    "enrolment.first-reading": seconds(\.enrolment.firstReading),
    "enrolment.window": seconds(\.enrolment.window),
    "log.level": Key { configuration, value in
      guard ["error", "warning", "info", "debug"].contains(value) else {
        return Phrase(en: "error, warning, info or debug", fr: "error, warning, info ou debug")
      }
      configuration.logLevel = value
      return nil
    },
  ]

  private static func text(_ path: any WritableKeyPath<Configuration, String> & Sendable) -> Key {
    Key { configuration, value in
      guard !value.isEmpty else { return Phrase(en: "a value", fr: "une valeur") }
      configuration[keyPath: path] = value
      return nil
    }
  }

  private static func optional(
    _ path: any WritableKeyPath<Configuration, String?> & Sendable
  ) -> Key {
    Key { configuration, value in
      guard !value.isEmpty else { return Phrase(en: "a value", fr: "une valeur") }
      configuration[keyPath: path] = value
      return nil
    }
  }

  private static func number(
    _ path: any WritableKeyPath<Configuration, Int> & Sendable, _ range: ClosedRange<Int>
  ) -> Key {
    Key { configuration, value in
      guard let number = Int(value), range.contains(number) else {
        return Phrase(
          en: "\(range.lowerBound) to \(range.upperBound)",
          fr: "\(range.lowerBound) à \(range.upperBound)")
      }
      configuration[keyPath: path] = number
      return nil
    }
  }

  /// Seconds, with up to three decimals: 0.1 to 3600.
  private static func seconds(
    _ path: any WritableKeyPath<Configuration, Duration> & Sendable
  ) -> Key {
    Key { configuration, value in
      guard let seconds = Double(value), (0.1...3600).contains(seconds) else {
        return Phrase(en: "0.1 to 3600 seconds", fr: "0.1 à 3600 secondes")
      }
      configuration[keyPath: path] = .milliseconds(Int((seconds * 1000).rounded()))
      return nil
    }
  }

  /// glibc takes an unknown name for UTC, so the file must be there.
  private static func isTimeZone(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !name.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != ".." && $0 != "." }) else {
      return false
    }
    var status = stat()
    return stat("/usr/share/zoneinfo/\(name)", &status) == 0
      && status.st_mode & S_IFMT == S_IFREG
  }

  private static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1
  }
}
