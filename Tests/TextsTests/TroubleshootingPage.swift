import Domain
import Foundation
import Texts

/// `docs/troubleshooting.md`, made from the table of words.
enum TroubleshootingPage {
  static let url = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "docs/troubleshooting.md")

  static var text: String {
    var lines = [
      "# Troubleshooting", "",
      "Every code that SoundGate shows, in the words that it shows; `soundgate explain CODE` says the",
      "same without this page, in French too where the locale is French. Look first at",
      "`soundgate status`, then at `journalctl -u soundgate`.", "",
    ]
    for (leg, title) in sections {
      lines += ["## \(title)", ""]
      for code in Code.described where code.leg == leg { lines += entry(code) }
    }
    return lines.joined(separator: "\n")
  }

  private static func entry(_ code: Code) -> [String] {
    let words = code.words
    let symbol = words.symbol.map { " (\($0))" } ?? ""
    return [
      "### \(code)", "", "\(words.title.english)\(symbol)", "",
      "- Cause: \(words.cause.english)", "- What to do: \(words.advice.english)", "",
    ]
  }

  private static let sections: [(Code.Leg, String)] = [
    (.input, "Your input"), (.host, "The gateway itself"), (.bluetooth, "Bluetooth"),
    (.wifi, "The sensor's Wi-Fi"), (.mqtt, "The broker"), (.storage, "Storage"),
    (.backend, "Your backend"),
  ]
}
