import Domain
import Foundation
import TestSupport
import Testing
import Texts

/// What the demonstration shows is what it has checked; these tests check that it can fail.
@Suite("soundgate demo --once", .serialized, .timeLimit(.minutes(5)))
struct DemoStoryTests {
  private struct Story: Sendable, CustomTestStringConvertible {
    let flags: [String]
    /// What the story goes wrong with; nil for the good one.
    let code: String?
    var language = Language.english

    var testDescription: String { flags.joined(separator: " ") + " " + language.rawValue }
  }

  private static let stories = [
    Story(flags: [], code: nil),
    Story(flags: [], code: nil, language: .french),
    Story(flags: ["--wrong-password"], code: "SG-WIFI-015"),
    Story(flags: ["--out-of-range"], code: "SG-WIFI-201"),
    Story(flags: ["--drop-link"], code: "SG-BLE-113"),
  ]

  @Test("plays its story through in less than a minute", arguments: stories)
  private func plays(story: Story) async throws {
    let start = ContinuousClock.now
    let run = try await Program.run(["demo", "--once"] + story.flags, language: story.language)
    #expect(run.status == 0, "\(run.words)")
    #expect(ContinuousClock.now - start < .seconds(60))
    for step in 1...5 { #expect(run.output.contains("✓ \(step)/5 "), "\(run.words)") }
    let isFrench = story.language == .french
    #expect(run.output.contains(isFrench ? "✓ Escalier  " : "✓ Stairwell  "))
    #expect(run.output.contains(#/\d+ %/#))
    #expect(run.output.contains(isFrench ? "✓ le bruit monte" : "✓ it becomes loud"))
    #expect(
      run.output.contains(
        isFrench
          ? "le récepteur l’a reçue, signature vérifiée"
          : "the receiver has it, signature verified"))
    #expect(run.output.contains(#""value":"#))
    #expect(run.output.contains(isFrench ? "Tout a eu lieu." : "Every part happened."))
    if let code = story.code { #expect(run.errors.contains("[\(code)]"), "\(run.words)") }
  }

  private static func folders() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/tmp")
    return Set(names.filter { $0.hasPrefix("soundgate-demo-") })
  }

  @Test("ends in order when it is interrupted in the middle of an enrolment")
  func interrupted() async throws {
    let before = try Self.folders()
    let demo = try SpawnedProgram(Program.path, ["demo", "--once"])
    for await line in demo.lines where line.contains("1/5") { break }
    #expect(await demo.stop() == Code.cancelled.leg.exitStatus)
    #expect(try Self.folders() == before, "its folder goes with it")
  }

  private static let sabotages: [[String]] = [
    ["--sabotage", "broker"], ["--sabotage", "receiver"], ["--sabotage", "bluetooth"],
    ["--sabotage", "database"],
    ["--wrong-password", "--sabotage", "broker"],
    ["--out-of-range", "--sabotage", "bluetooth"],
    ["--drop-link", "--sabotage", "database"],
  ]

  @Test("fails, with a code, when one part is broken", arguments: sabotages)
  func fails(flags: [String]) async throws {
    let run = try await Program.run(["demo", "--once"] + flags)
    #expect(run.status > 0, "\(run.words)")
    #expect(!run.output.contains("Every part happened."))
    #expect(run.errors.contains(#/error: .*\[SG-[A-Z]+-\d{3}\]/#), "\(run.words)")
  }
}
