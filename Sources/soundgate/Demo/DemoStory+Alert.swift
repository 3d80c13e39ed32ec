import Crypto
import Domain
import FoundationEssentials
import Simulator
import Texts
import Web

extension DemoStory {
  func alert() async throws {
    let rule: API.Rule = try await stage.gateway.post(
      "/rules",
      API.RuleDraft(
        sensor: DemoStage.sensors[0], template: "level", operator: .greater, threshold: 80,
        cooldown: 60, label: Phrase(en: "Too loud", fr: "Trop fort")[terminal.language],
        severity: .high, enabled: true))
    terminal.say(
      "✓ \(rule.label) — \(rule.field.name[terminal.language]) \(rule.operator.rawValue) "
        + "\(Format.number(rule.threshold)[terminal.language]) \(rule.unit)")
    await stage.fleet.setSound(SoundScenario(steady: 95), around: DemoStage.sensors[0])
    terminal.say(Phrase(en: "✓ it becomes loud", fr: "✓ le bruit monte"))
    let request = try await Deadline.within(.seconds(20), Fault(.backendTimeout)) { [stage] in
      for await request in stage.receiver.arrivals { return request }
      throw Fault(.backendUnreachable)
    }
    let delivered = try checked(request)
    terminal.say(
      Phrase(
        en: "✓ the receiver has it, signature verified:",
        fr: "✓ le récepteur l’a reçue, signature vérifiée :"))
    terminal.say("  " + String(decoding: request.body, as: UTF8.self).visible)
    try await confirm(delivered.id)
  }

  private struct Body: Decodable {
    let id: String
    let value: Double
  }

  /// The request is a signed alert about our rule.
  private func checked(_ request: ReceivedRequest) throws -> Body {
    guard
      let signature = request.headers["soundgate-signature"],
      Signature.isValid(signature, body: request.body, secret: stage.secret, at: .now),
      let body = try? JSONDecoder().decode(Body.self, from: Data(request.body)),
      request.headers["idempotency-key"] == body.id, body.value > 80
    else {
      throw Failed.unexpected(
        Phrase(
          en: "the alert delivered is not what it should be",
          fr: "l’alerte remise n’est pas celle attendue"), .backendRefused)
    }
    return body
  }

  /// The daemon knows of the alert and of its delivery.
  private func confirm(_ id: String) async throws {
    let alert = try await Deadline.within(.seconds(10), Fault(.backendTimeout)) { [stage] in
      while true {
        let alert: API.Alert = try await stage.gateway.get("/alerts/\(id)")
        if alert.delivery == .delivered { return alert }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    terminal.say("✓ \(alert.text.visible)")
  }
}
