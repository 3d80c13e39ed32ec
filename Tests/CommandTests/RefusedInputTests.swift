import Foundation
import Host
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

  @Test("a file without a secret is refused, not taken for none")
  func emptySecret() async throws {
    let directory = try TemporaryDirectory()
    let empty = "\(directory.path)/empty"
    try Data().write(to: URL(filePath: empty))
    for (file, name) in [(empty, empty), ("-", "standard input")] {
      let run = try await Program.run(
        ["backend", "set", "http://127.0.0.1:1/", "--secret-file", file])
      #expect(run.status == 2)
      #expect(run.errors.contains("--secret-file: \(name) holds no secret"), "\(run.errors)")
    }
  }

  @Test(
    "an address that alerts cannot go to is refused before its secret is asked for",
    arguments: [
      ("http://[::1", "the host in the address"), ("http://a.example:99999/", "1 to 65535"),
      ("https://", "the host in the address"), ("https://a:marker@b.example/", "user name"),
      ("https://a b/", "white space"), ("a.example", "begin with https://"),
    ])
  func address(url: String, expected: String) async throws {
    let run = try await Program.run(["backend", "set", url, "--secret-file", "/nowhere/secret"])
    #expect(run.status == 2)
    #expect(run.errors.contains(expected), "\(run.errors)")
    #expect(run.errors.contains("hint: an address looks like"))
    #expect(!run.errors.contains("marker") && !run.errors.contains("/nowhere"))
  }

  @Test("output that finds no room ends in an error, output that nobody reads in silence")
  func lostOutput() async throws {
    let full = try ChildProcess("sh", ["-c", "'\(Program.path)' explain --all >/dev/full"])
    #expect(await full.wait() == 1)
    let pipe = try ChildProcess(
      "bash", ["-o", "pipefail", "-c", "'\(Program.path)' explain --all | true"])
    #expect(await pipe.wait() == 0)
  }

  @Test("config check looks at the files that the configuration names, as the daemon will")
  func filesNamed() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("soundgate.conf")
    try "[broker]\nmode = site\nhost = 192.0.2.1\nuser = u\npassword-file = /none/word\n"
      .write(toFile: file, atomically: true, encoding: .utf8)
    let check = try await Program.run(["config", "check", "--config", file])
    #expect(check.status == 2)
    #expect(
      check.errors.contains(
        "[broker] password-file = /none/word cannot be read: No such file or directory"),
      "\(check.words)")
  }
}
