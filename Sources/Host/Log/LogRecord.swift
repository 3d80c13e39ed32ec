/// One line of the log before it is written.
package struct LogRecord: Sendable, Equatable {
  package let level: Log.Level
  package let component: String
  package let sentence: String
  package let fields: [Field]

  package struct Field: Sendable, Equatable {
    package let key: String
    package let value: String

    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  package init(level: Log.Level, component: String, sentence: String, fields: [Field] = []) {
    self.level = level
    self.component = component
    self.sentence = sentence
    self.fields = fields
  }

  /// The value of the first field of that key.
  package subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

  /// `component: sentence key=value`, on one line whatever the values hold.
  package var text: String {
    var text = "\(component): \(Self.escaped(sentence))"
    for field in fields {
      text += " \(field.key)=\(Self.quoted(field.value))"
    }
    return text
  }

  /// The value as it stands, or in double quotes when a reader could not tell where it ends.
  private static func quoted(_ value: String) -> String {
    let isPlain =
      !value.isEmpty
      && !value.unicodeScalars.contains {
        $0 == " " || $0 == "\"" || $0 == "=" || $0 == "\\" || $0.isUnprintable
      }
    return isPlain ? value : "\"\(escaped(value, quotes: true))\""
  }

  private static func escaped(_ text: String, quotes: Bool = false) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\"" where quotes: result += "\\\""
      case "\\" where quotes: result += "\\\\"
      case _ where scalar.isUnprintable:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Controls, separators of lines and invisible directions: what a terminal obeys and does not show.
  fileprivate var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned,
      .privateUse:
      true
    default: false
    }
  }
}
