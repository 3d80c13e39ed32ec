/// A sentence in every language we speak; leaving one out does not compile.
package struct Phrase: Hashable, Sendable {
  package let english: String
  package let french: String

  package init(en english: String, fr french: String) {
    self.english = english
    self.french = french
  }

  package subscript(language: Language) -> String {
    switch language {
    case .english: english
    case .french: french
    }
  }
}

/// The languages of everything people read.
package enum Language: String, Hashable, Sendable, Codable, CaseIterable {
  case english = "en"
  case french = "fr"

  /// The language of a locale or an `Accept-Language` header (`fr_FR.UTF-8`, `fr-CH, en;q=0.5`):
  /// the first that we speak, else English.
  package init(preference: String) {
    let tags = preference.split(separator: ",").map { $0.drop(while: \.isWhitespace).prefix(2) }
    self = tags.lazy.compactMap { Language(rawValue: $0.lowercased()) }.first ?? .english
  }
}
