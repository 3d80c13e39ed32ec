/// Why a status message is no reading. The message is dropped and counted under its `cause`.
package enum PayloadError: Error, Hashable, Sendable {
  /// Over `Payload.sizeLimit`.
  case tooLarge(bytes: Int)
  case byteOrderMark
  case notUTF8
  /// No JSON at this byte.
  case malformed(offset: Int)
  case notAnObject
  case nested(Key)
  case doubledKey(Key)
  case missing(Key)
  case null(Key)
  case wrongType(Key)
  case notFinite(Key)
  case outOfBounds(Key)
  /// A well-formed message of another type of device.
  case notSoundSensor(Key)

  /// A word from outside, as far as it may be logged: 32 characters, those that could deceive a
  /// reader replaced.
  package struct Key: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) {
      description = String(
        text.prefix(32).map { $0.isASCII && $0 >= " " && $0 != "\u{7F}" ? $0 : "?" })
    }
  }

  /// The case's name: a stable word for counters.
  package var cause: String {
    switch self {
    case .tooLarge: "tooLarge"
    case .byteOrderMark: "byteOrderMark"
    case .notUTF8: "notUTF8"
    case .malformed: "malformed"
    case .notAnObject: "notAnObject"
    case .nested: "nested"
    case .doubledKey: "doubledKey"
    case .missing: "missing"
    case .null: "null"
    case .wrongType: "wrongType"
    case .notFinite: "notFinite"
    case .outOfBounds: "outOfBounds"
    case .notSoundSensor: "notSoundSensor"
    }
  }
}

extension PayloadError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLarge(let bytes): "\(bytes) bytes, more than \(Payload.sizeLimit)"
    case .byteOrderMark: "starts with a byte order mark"
    case .notUTF8: "is not UTF-8"
    case .malformed(let offset): "is no JSON at byte \(offset)"
    case .notAnObject: "is not a JSON object"
    case .nested(let key): "'\(key)' holds a nested value"
    case .doubledKey(let key): "'\(key)' comes twice"
    case .missing(let key): "'\(key)' is missing"
    case .null(let key): "'\(key)' is null"
    case .wrongType(let key): "'\(key)' is of the wrong type"
    case .notFinite(let key): "'\(key)' is not a finite number"
    case .outOfBounds(let key): "'\(key)' is out of bounds"
    case .notSoundSensor(let type): "is from a '\(type)', not a sound sensor"
    }
  }
}
