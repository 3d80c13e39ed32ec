import Domain
import Glibc
import Host
import Texts

/// Where a command speaks: standard output for results, standard error for trouble and progress.
package struct Terminal: Sendable {
  package var language: Language
  /// Whether standard output is a terminal: only then are there colours and progress lines.
  package var isInteractive: Bool
  package var hasColour: Bool
  /// Columns; 80 when unknown.
  package var width: Int
  /// Whether the program ends when its output cannot be written: quietly when nobody reads it any
  /// more, as in `… | head`, else with status 1, as on a full disk.
  package var endsWithReader = true

  package init(language: Language, isInteractive: Bool, hasColour: Bool, width: Int) {
    self.language = language
    self.isInteractive = isInteractive
    self.hasColour = hasColour
    self.width = width
  }

  /// The terminal this process has, in the language of its locale (`LC_ALL`, `LC_MESSAGES`, `LANG`).
  package static func current() -> Terminal {
    let variable = { (name: String) -> String? in
      guard let value = getenv(name) else { return nil }
      let text = String(cString: value)
      return text.isEmpty ? nil : text
    }
    let locale = variable("LC_ALL") ?? variable("LC_MESSAGES") ?? variable("LANG") ?? ""
    let interactive = isatty(1) == 1
    var size = winsize()
    let known = ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Terminal(
      language: Language(preference: locale), isInteractive: interactive,
      hasColour: interactive && variable("NO_COLOR") == nil && variable("TERM") != "dumb",
      width: known ? Int(size.ws_col) : 80)
  }

  package func say(_ phrase: Phrase) { say(phrase[language]) }

  package func say(_ line: String = "") { show(line + "\n") }

  /// A line about what is going on, on standard error so that results can be piped.
  package func note(_ phrase: Phrase) { note(phrase[language]) }

  package func note(_ line: String) { Self.write(line + "\n", to: 2) }

  /// Redraws the current line with a countdown or the like; nothing unless interactive.
  package func progress(_ phrase: Phrase) {
    guard isInteractive else { return }
    show("\r\u{1B}[K" + phrase[language].cut(toCells: max(10, width - 1)))
  }

  package func endProgress() {
    if isInteractive { show("\r\u{1B}[K") }
  }

  private func show(_ text: String) {
    guard !Self.write(text, to: 1), endsWithReader else { return }
    let error = errno
    if error == EPIPE { _exit(0) }
    let reason = systemMessage(error)
    complain(
      Phrase(
        en: "the output could not be written: \(reason)",
        fr: "la sortie n’a pas pu être écrite : \(reason)"))
    _exit(1)
  }

  /// `error: …`, the code, then `hint: …`.
  package func complain(_ message: Phrase, code: Code? = nil, hint: Phrase? = nil) {
    let label = Phrase(en: "error:", fr: "erreur :")[language]
    let suffix = code.map { " [\($0)]" } ?? ""
    note("\(paint(label, .red)) \(message[language])\(suffix)")
    if let hint {
      note("\(paint(Phrase(en: "hint:", fr: "conseil :")[language], .yellow)) \(hint[language])")
    }
  }

  /// The number of a "select graphic rendition" sequence (ECMA-48, 8.3.117).
  package enum Colour: Int {
    case bold = 1
    case red = 31
    case green = 32
    case yellow = 33
    case blue = 36
    case grey = 90
  }

  package func paint(_ text: String, _ colour: Colour) -> String {
    hasColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Asks on the terminal; nil at the end of input. What was typed before the question is no answer to
  /// it.
  package func ask(_ question: Phrase) async -> String? {
    endProgress()
    tcflush(0, TCIFLUSH)
    Self.write("\(question[language]) ", to: 2)
    let answer = await Blocking.run { readLine(strippingNewline: true) }
    if answer == nil { noteEndOfInput() }
    return answer
  }

  private func noteEndOfInput() {
    Self.write("\n", to: 2)
    note(
      Phrase(
        en: "No answer: the input has ended.", fr: "Pas de réponse : l’entrée est terminée."))
  }

  /// Asks without echo, which comes back however this ends.
  package func askSecret(_ question: Phrase) async -> Secret? {
    endProgress()
    var shown = termios()
    guard tcgetattr(0, &shown) == 0 else {
      return await ask(question).map(Secret.init)
    }
    let show: @Sendable () -> Void = { [shown] in
      var settings = shown
      tcsetattr(0, TCSAFLUSH, &settings)
      Self.write("\n", to: 2)
    }
    var silent = shown
    silent.c_lflag &= ~tcflag_t(ECHO)
    return await Interruption.whenItComes(show) { [silent] in
      var settings = silent
      tcsetattr(0, TCSAFLUSH, &settings)
      defer { show() }
      Self.write("\(question[language]) ", to: 2)
      return await Blocking.run { readLine(strippingNewline: true) }.map(Secret.init)
    }
  }

  /// Writes all of `text`; false, with `errno`, when it cannot.
  @discardableResult
  package static func write(_ text: String, to descriptor: Int32) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      bytes = bytes.dropFirst(written)
    }
    return true
  }
}

extension String {
  /// The text with control characters shown as escapes, so that a name from outside cannot drive the
  /// terminal. The two joiners that Persian, Indic scripts and emoji need stay (`SensorName`).
  package var visible: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format where scalar.isJoiner: result.unicodeScalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
