import Domain
import FoundationEssentials
import Texts

/// The values of the API as they stand in JSON (`docs/api/openapi.yaml`): the daemon writes them, the
/// command line reads them.
package enum API {
  /// Keys in snake_case, sorted, so that equal values are equal bytes.
  package static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(value))
  }

  package static func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, from bytes: [UInt8]
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(type, from: Data(bytes))
  }

  /// A moment in ISO 8601, UTC, with milliseconds.
  package struct Moment: Hashable, Sendable, Codable {
    package let timestamp: Timestamp

    package init(_ timestamp: Timestamp) { self.timestamp = timestamp }

    package init?(_ timestamp: Timestamp?) {
      guard let timestamp else { return nil }
      self.timestamp = timestamp
    }

    package init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let timestamp = Timestamp(text) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "not a date and time"))
      }
      self.timestamp = timestamp
    }

    package func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(timestamp.description)
    }
  }

  /// A code with its words.
  package struct Fault: Hashable, Sendable, Codable {
    package let code: Code
    package let message: String
    package let cause: String
    package let advice: String
    /// The broken leg of an enrolment, in words.
    package let leg: String?
    /// The foreign words, in English.
    package let detail: String?

    package init(_ fault: Domain.Fault, _ language: Language) {
      let words = fault.code.words
      code = fault.code
      message = words.title[language]
      cause = words.cause[language]
      advice = words.advice[language]
      leg = words.part?.name[language]
      detail = fault.detail.isEmpty ? nil : fault.detail
    }
  }

  /// Every answer that is no success.
  package struct Failure: Hashable, Sendable, Codable {
    package let error: Content

    package struct Content: Hashable, Sendable, Codable {
      package let code: String
      package let message: String
      package let hint: String?
    }

    package init(code: Code, message: String, hint: String?) {
      error = Content(code: code.description, message: message, hint: hint)
    }
  }
}
