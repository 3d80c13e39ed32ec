import Domain
import Foundation
import Simulator
import TestSupport
import Testing
import Web

/// A person at a terminal, with the built program and daemon.
@Suite("An enrolment guided on a terminal", .serialized, .timeLimit(.minutes(4)))
struct GuidedEnrolmentTests {
  private static func enrol(_ stage: Stage, _ options: String...) throws -> Conversation {
    try Conversation(["enrol"] + options, socket: stage.socket)
  }

  /// Waits for a question and answers it.
  private static func answer(
    _ conversation: Conversation, _ question: String, _ text: String
  ) async throws {
    try await hear(conversation, question)
    conversation.type(text)
  }

  private static func hear(_ conversation: Conversation, _ text: String) async throws {
    let isHeard = await conversation.hears(text)
    let transcript = await conversation.transcript
    try #require(isHeard, "“\(text)” was not said:\n\(transcript)")
  }

  private static func enrolments(_ stage: Stage) async throws -> [API.Enrolment] {
    try await stage.api.get("/enrolments")
  }

  @Test("A wrong key is asked again with the name typed before, an empty name again")
  func whole() async throws {
    try await Stage.perform { stage in
      let person = try Self.enrol(stage)
      try await Self.answer(person, "Enrol \(Stage.chip)? [y/N]", "y")
      // Typed while the program was busy: no answer to what it asks next.
      person.type("impatient")
      try await Self.answer(person, "Wi-Fi name:", Stage.ssid)
      try await Self.answer(person, "Key of \(Stage.ssid):", "une autre clé")
      try await Self.hear(person, "[\(Code.wifi(reason: 15))]")
      try await Self.answer(person, "Wi-Fi name [\(Stage.ssid)]:", "")
      try await Self.answer(person, "Key of \(Stage.ssid):", Stage.key)
      try await Self.answer(person, "Deliver the broker's settings? [Y/n]", "")
      try await Self.answer(person, "Accept it? [Y/n]", "")
      try await Self.answer(person, "Name of the sensor:", "")
      try await Self.hear(person, "[\(Code.invalidSensorName)]")
      try await Self.answer(person, "Name of the sensor:", "Palier")
      try await Self.hear(person, "5/5")
      #expect(await person.end() == 0)
      let transcript = await person.transcript
      #expect(!transcript.contains(Stage.key), "a key is not echoed")
      #expect(try await Self.enrolments(stage).map(\.completed) == [true])
    }
  }

  @Test("says how to go on when it is interrupted, and who has the link when another comes")
  func interrupted() async throws {
    try await Stage.perform { stage in
      let person = try Self.enrol(stage, "--ssid", Stage.ssid)
      try await Self.answer(person, "Enrol \(Stage.chip)? [y/N]", "y")
      // The name was given, so the key is the first that is asked for.
      try await Self.hear(person, "Key of \(Stage.ssid):")
      let transcript = await person.transcript
      #expect(!transcript.contains("Wi-Fi name"))
      person.interrupt()
      try await Self.hear(person, "Left at step 2 of 5")
      #expect(await person.end() == -SIGINT)

      let left = try #require(try await Self.enrolments(stage).first)
      let other = try await stage.enrol()
      // The sensor is connected, so nobody hears it: its enrolment is named instead.
      #expect(other.status == Code.conflict.leg.exitStatus, "\(other.words)")
      #expect(other.errors.contains("soundgate enrolments cancel \(left.id.prefix(8))"))
      // Nothing of the second is left behind.
      #expect(try await Self.enrolments(stage).filter { !$0.ended }.map(\.id) == [left.id])

      let cancelled = try await stage.run("enrolments", "cancel", String(left.id.prefix(8)))
      #expect(cancelled.status == 0, "\(cancelled.words)")
      let ended = try await stage.run("enrolments", "resume", String(left.id.prefix(8)))
      #expect(ended.status == Code.outOfTurn.leg.exitStatus)
      #expect(ended.errors.contains("this enrolment has ended"), "\(ended.words)")
      #expect(try await stage.enrol().status == 0)
    }
  }

  @Test("says that it can be resumed when the daemon leaves, and goes on after that")
  func daemonLeaves() async throws {
    try await Stage.perform { stage in
      let person = try Self.enrol(stage, "--ssid", Stage.ssid)
      try await Self.answer(person, "Enrol \(Stage.chip)? [y/N]", "y")
      try await Self.answer(person, "Key of \(Stage.ssid):", Stage.key)
      try await Self.hear(person, "the sensor joins the Wi-Fi")
      _ = await stage.stopDaemon(with: SIGKILL)
      try await Self.hear(person, "[\(Code.daemonUnreachable)]")
      try await Self.hear(person, "soundgate enrolments resume")
      #expect(await person.end() == Code.daemonUnreachable.leg.exitStatus)

      try await stage.startDaemon()
      let left = try #require(try await Self.enrolments(stage).first)
      let resumed = try await stage.run(
        "enrolments", "resume", String(left.id.prefix(8)), "--yes", "--ssid", Stage.ssid,
        "--key-file", "-", "--name", "Palier", input: Stage.key + "\n")
      #expect(resumed.status == 0, "\(resumed.words)")
    }
  }

  @Test("leaves nothing behind when the terminal is closed before a sensor was chosen")
  func closed() async throws {
    try await Stage.perform { stage in
      let person = try Self.enrol(stage)
      try await Self.hear(person, "Enrol \(Stage.chip)? [y/N]")
      person.hangUp()
      #expect(await person.end() == -SIGHUP)
      #expect(try await Self.enrolments(stage).map(\.ended) == [true])
    }
  }

  @Test("without anybody to ask says so")
  func nobody() async throws {
    try await Stage.perform { stage in
      let enrol = try await stage.run("enrol")
      #expect(enrol.status == Code.cancelled.leg.exitStatus)
      #expect(enrol.errors.hasSuffix("No answer: the input has ended.\n"), "\(enrol.errors)")
      #expect(try await Self.enrolments(stage).map(\.ended) == [true])
      let backend = try await stage.run("backend", "set", "http://127.0.0.1:1/")
      #expect(backend.status == 2, "\(backend.words)")
      #expect(backend.errors.contains("no secret was given"))
    }
  }
}
