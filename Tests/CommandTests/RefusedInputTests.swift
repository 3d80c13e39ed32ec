import Foundation
import TestSupport
import Testing

@Suite("Input that is refused before anything is asked of the daemon")
struct RefusedInputTests {
  private func enrol(
    key: String = "long enough", name: String = "Stairwell", locale: String = "en_US.UTF-8"
  ) async throws -> Program {
    try await Program.run(
      [
        "enrol", "--sensor", "any", "--ssid", "Flat-2", "--key-file", "-", "--name", name, "--yes",
      ], locale: locale, input: key + "\n")
  }

  @Test("P03: a key that is too short is named with its rule, and never repeated")
  func shortKey() async throws {
    let english = try await enrol(key: "short")
    #expect(english.status == 2)
    #expect(english.errors.contains("the Wi-Fi key has 5 bytes; it needs at least 8"))
    #expect(english.errors.contains("[SG-INPUT-011]"))
    #expect(!english.errors.contains("short"))
    let french = try await enrol(key: "short", locale: "fr_FR.UTF-8")
    #expect(french.errors.contains("la clé Wi-Fi compte 5 octets ; il en faut 8"))
  }

  @Test("an empty name is named")
  func emptyName() async throws {
    let run = try await enrol(name: "")
    #expect(run.status == 2)
    #expect(run.errors.contains("the name is empty [SG-INPUT-012]"))
  }

  @Test(
    "a mistake in the configuration is told with file and line by whatever reads it",
    arguments: [
      ["run"], ["broker", "check"], ["broker", "check", "--store"], ["config", "check"],
    ])
  func configuration(words: [String]) async throws {
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/soundgate.conf"
    try Data("[site]\nnmae = x\n".utf8).write(to: URL(filePath: file))
    let run = try await Program.run(words + ["--config", file])
    #expect(run.status == 2)
    #expect(run.errors.contains("\(file):2: unknown key “nmae” in [site]"), "\(run.errors)")
  }
}
