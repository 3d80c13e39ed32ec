/// A text that must not be read by accident: a Wi-Fi key, a broker password, a webhook secret.
///
/// It prints as dots whichever way it is printed, and it is not `Codable`. Whoever needs the text
/// says so with `reveal()`; the architecture test lists the files that may.
package struct Secret: Hashable, Sendable {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// The text itself.
  package func reveal() -> String { text }

  package var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "••••" }
  package var debugDescription: String { "••••" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
